package io.sluice.connector.api.convert;

import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.store.entry.Entry;
import io.sluice.store.packet.EntryFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lays entries into protobuf packets of type MESSAGES.
 *
 * <pre>
 *   [10 01] 18 07 2a &lt;length of the rest&gt; [08 &lt;batch id&gt;] (12 &lt;length&gt; &lt;entry&gt;)…
 * </pre>
 *
 * <p>The entries are written once, one behind the other; a packet is a run of them with a head put in front. For one batch
 * and one thread.
 */
final class PacketWriter {
    private final Target target;
    private final byte[] head;
    private final byte[] bodyHead;
    private final int maxPacketBytes;
    private final ByteWriter entries;
    private final EntryFields fields;
    private final List<OutgoingRecord> packets = new ArrayList<>(1);

    private int packetStart;
    private @Nullable Entry first;
    private @Nullable Entry last;

    /**
     * Begins the first packet.
     *
     * @param target where the packets go
     * @param head the packet's fields in front of its body
     * @param bodyHead the body's fields in front of the entries
     * @param maxPacketBytes the size that a packet of more than one entry does not exceed
     * @param buffer for its use until {@link #finish}
     */
    PacketWriter(Target target, byte[] head, byte[] bodyHead, int maxPacketBytes, ByteWriter buffer) {
        this.target = target;
        this.head = head;
        this.bodyHead = bodyHead;
        this.maxPacketBytes = maxPacketBytes;
        this.entries = buffer;
        this.fields = new EntryFields(buffer);
        this.packetStart = buffer.size();
    }

    void add(Entry entry) {
        int start = entries.size();
        fields.add(entry);
        if (start > packetStart && packetSize(entries.size() - packetStart) > maxPacketBytes) {
            cut(start);
        }
        if (first == null) {
            first = entry;
        }
        last = entry;
    }

    private int packetSize(int entriesLength) {
        int body = bodyHead.length + entriesLength;
        return head.length + 1 + ByteWriter.varintLength(body) + body;
    }

    private void cut(int end) {
        int length = end - packetStart;
        int body = bodyHead.length + length;
        byte[] packet = new byte[packetSize(length)];
        System.arraycopy(head, 0, packet, 0, head.length);
        packet[head.length] = RawConverter.BODY_TAG;
        int at = ByteWriter.putVarint(packet, head.length + 1, body);
        System.arraycopy(bodyHead, 0, packet, at, bodyHead.length);
        System.arraycopy(entries.array(), packetStart, packet, at + bodyHead.length, length);
        packets.add(new OutgoingRecord(
                target.message(packet), Objects.requireNonNull(first), Objects.requireNonNull(last)));
        packetStart = end;
        first = null;
    }

    /** Ends the last packet and returns all of them, in order; none if there were no entries. */
    List<OutgoingRecord> finish() {
        if (entries.size() > packetStart) {
            cut(entries.size());
        }
        return packets;
    }
}
