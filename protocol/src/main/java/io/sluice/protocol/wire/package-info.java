/**
 * The bytes of the client port and the management port: packets that have one form only, and the proof of a password. It knows
 * no sockets.
 */
@NullMarked
package io.sluice.protocol.wire;

import org.jspecify.annotations.NullMarked;
