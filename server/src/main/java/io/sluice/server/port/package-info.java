/**
 * What the listening ports share: TLS, limits to connections, and the log of those that were closed. It does not know the
 * protocols.
 */
@NullMarked
package io.sluice.server.port;

import org.jspecify.annotations.NullMarked;
