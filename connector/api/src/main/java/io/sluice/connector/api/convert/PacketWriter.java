package io.sluice.connector.api.convert;

import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.store.entry.Entry;
import java.util.ArrayList;
import java.util.List;

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
    private static final int MESSAGES_TAG = 0x12;
    private static final int LONGEST_LENGTH = 5; // bytes of the varint of an int

    private final byte[] head;
    private final byte[] bodyHead;
    private final int maxPacketBytes;
    private final ByteWriter entries;
    private final List<byte[]> packets = new ArrayList<>(1);

    private int packetStart;

    /** How many bytes the last entry's length took: the guess for the next. */
    private int lengthBytes = 2;

    /**
     * Begins the first packet.
     *
     * @param head the packet's fields in front of its body
     * @param bodyHead the body's fields in front of the entries
     * @param maxPacketBytes the size that a packet of more than one entry does not exceed
     * @param buffer for its use until {@link #finish}
     */
    PacketWriter(byte[] head, byte[] bodyHead, int maxPacketBytes, ByteWriter buffer) {
        this.head = head;
        this.bodyHead = bodyHead;
        this.maxPacketBytes = maxPacketBytes;
        this.entries = buffer;
        this.packetStart = buffer.size();
    }

    void add(Entry entry) {
        int start = entries.size();
        writeField(entry);
        if (start > packetStart && packetSize(entries.size() - packetStart) > maxPacketBytes) {
            cut(start);
        }
    }

    /** Writes the entry behind its length, which is known only afterwards: room is left for it, and rarely corrected. */
    private void writeField(Entry entry) {
        entries.writeByte(MESSAGES_TAG);
        int lengthAt = entries.size();
        entries.ensure(LONGEST_LENGTH);
        entries.setSize(lengthAt + lengthBytes);
        entry.writeProtobuf(entries);
        int length = entries.size() - lengthAt - lengthBytes;
        int needed = ByteWriter.varintLength(length);
        if (needed != lengthBytes) {
            entries.ensure(LONGEST_LENGTH);
            System.arraycopy(entries.array(), lengthAt + lengthBytes, entries.array(), lengthAt + needed, length);
            entries.setSize(lengthAt + needed + length);
            lengthBytes = needed;
        }
        ByteWriter.putVarint(entries.array(), lengthAt, length);
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
        packets.add(packet);
        packetStart = end;
    }

    /** Ends the last packet and returns all of them, in order; none if there were no entries. */
    List<byte[]> finish() {
        if (entries.size() > packetStart) {
            cut(entries.size());
        }
        return packets;
    }
}
