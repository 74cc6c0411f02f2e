/** Clients that pull one instance's entries: their subscriptions, unacknowledged batches and waiting gets. It knows no sockets. */
@NullMarked
package io.sluice.server.pull;

import org.jspecify.annotations.NullMarked;
