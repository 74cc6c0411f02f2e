/** Pulls changes from a server, and gives typed access to them. It does not know what the server is made of. */
@NullMarked
package io.sluice.client;

import org.jspecify.annotations.NullMarked;
