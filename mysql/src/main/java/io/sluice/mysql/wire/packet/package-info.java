/**
 * Packets: how the byte stream of a connection is split into them, and their fields. It does not know commands or answers,
 * but for the error packet, which may come instead of any answer. Not open to other modules.
 */
@NullMarked
package io.sluice.mysql.wire.packet;

import org.jspecify.annotations.NullMarked;
