package io.sluice.connector.api.convert;

import io.sluice.protocol.bytes.ByteWriter;
import java.util.Arrays;

/**
 * The bytes around the entries in a protobuf packet of type MESSAGES.
 *
 * <pre>
 *   [10 01] 18 07 2a &lt;length of the rest&gt; [08 &lt;batch id&gt;] (12 &lt;length&gt; &lt;entry&gt;)…
 * </pre>
 */
final class PacketForm {
    private static final byte BODY_TAG = 0x2a;
    private static final byte BATCH_ID_TAG = 0x08;
    private static final int MAX_LENGTH_BYTES = 5; // bytes of the varint of an int
    private static final byte[] TYPE = {0x18, 0x07};
    private static final byte[] VERSION_AND_TYPE = {0x10, 0x01, 0x18, 0x07};

    private final byte[] head;
    private final byte[] bodyHead;
    private final int maxPacketBytes;

    private PacketForm(byte[] head, byte[] bodyHead, int maxPacketBytes) {
        if (maxPacketBytes < 1) {
            throw new IllegalArgumentException("the largest packet has less than one byte: " + maxPacketBytes);
        }
        this.head = head;
        this.bodyHead = bodyHead;
        this.maxPacketBytes = maxPacketBytes;
    }

    /** Without a version, with the batch's id. */
    static PacketForm ofBatch(long batchId, int maxPacketBytes) {
        byte[] field = new byte[1 + ByteWriter.varintLength(batchId)];
        field[0] = BATCH_ID_TAG;
        ByteWriter.putVarint(field, 1, batchId);
        return new PacketForm(TYPE, field, maxPacketBytes);
    }

    /** With the version, without a batch's id. */
    static PacketForm ofVersion1(int maxPacketBytes) {
        return new PacketForm(VERSION_AND_TYPE, new byte[0], maxPacketBytes);
    }

    /** Whether entries of so many bytes, with their tags, make a packet that is too large for more than one. */
    boolean isTooLarge(int entryBytes) {
        return size(entryBytes) > maxPacketBytes;
    }

    private int size(int entryBytes) {
        int body = bodyHead.length + entryBytes;
        return head.length + 1 + ByteWriter.varintLength(body) + body;
    }

    /** How many bytes must be free before the first entry of a packet. */
    int headRoom() {
        return head.length + 1 + MAX_LENGTH_BYTES + bodyHead.length;
    }

    /**
     * Makes a packet of the entries that are in an array, by a single copy of them; its head is put before them, where there
     * are {@link #headRoom} unused bytes.
     *
     * @param from where the entries start, with their tags
     * @param to where they end, exclusive
     */
    byte[] packet(byte[] array, int from, int to) {
        int body = bodyHead.length + to - from;
        int start = from - bodyHead.length - ByteWriter.varintLength(body) - 1 - head.length;
        System.arraycopy(head, 0, array, start, head.length);
        array[start + head.length] = BODY_TAG;
        int at = ByteWriter.putVarint(array, start + head.length + 1, body);
        System.arraycopy(bodyHead, 0, array, at, bodyHead.length);
        return Arrays.copyOfRange(array, start, to);
    }
}
