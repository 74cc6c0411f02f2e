/** TLS of a connection: what is required of it, and the handshake. It does not know packets. */
@NullMarked
package io.sluice.mysql.wire.tls;

import org.jspecify.annotations.NullMarked;
