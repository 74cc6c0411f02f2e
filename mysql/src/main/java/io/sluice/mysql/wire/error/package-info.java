/**
 * What a connection fails with: an error of the server, and bytes that violate the protocol. It does not know what was
 * requested, nor how packets are read.
 */
@NullMarked
package io.sluice.mysql.wire.error;

import org.jspecify.annotations.NullMarked;
