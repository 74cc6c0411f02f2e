/**
 * What the listening ports share: {@code ListeningPort} opens and closes each; there are also TLS, the frames and the login of canal's
 * protocols, limits to connections, and the log of those that were closed. It does not know what is asked there.
 */
@NullMarked
package io.sluice.server.port;

import org.jspecify.annotations.NullMarked;
