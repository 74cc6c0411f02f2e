/** Entries as a part of protobuf packets, as queues and TCP clients get them. It does not know where the packets go. */
@NullMarked
package io.sluice.store.packet;

import org.jspecify.annotations.NullMarked;
