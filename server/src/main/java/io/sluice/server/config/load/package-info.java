/**
 * Loads the configuration from where it is: files, an admin server and the copy of what that has sent, or texts that a client sends; at the start, for a command, and
 * again while the server runs. What a setting means is known to {@link io.sluice.server.config.read}.
 */
@NullMarked
package io.sluice.server.config.load;

import org.jspecify.annotations.NullMarked;
