/** Clients that pull one instance's entries: who they are, what they hold, what they wait for. It knows no sockets. */
@NullMarked
package io.sluice.server.pull;

import org.jspecify.annotations.NullMarked;
