package io.sluice.server.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.server.pull.PulledBatch;
import io.sluice.store.entry.Entry;
import io.sluice.store.packet.EntryFields;

/**
 * Writes a batch as the frame that answers a get.
 *
 * <pre>
 *   &lt;length, u32 BE&gt; [10 01] 18 07 2a &lt;length&gt; 08 &lt;batch id&gt; (12 &lt;length&gt; &lt;entry&gt;)…
 * </pre>
 *
 * <p>The entries' bytes are copied once, into an array that is sent as it is: room for the longest head is left in front of
 * them, and the head, whose length is known only then, is put at the end of that room.
 */
final class MessagesFrame {
    private static final byte[] TYPE = {0x18, 0x07, 0x2a};
    private static final byte[] VERSION_AND_TYPE = {0x10, 0x01, 0x18, 0x07, 0x2a};
    private static final byte BATCH_ID_TAG = 0x08;
    private static final int LENGTH_BYTES = 4;
    private static final int LONGEST_HEAD = LENGTH_BYTES + VERSION_AND_TYPE.length + 5 + 1 + 10;

    /** What an entry takes beside its own bytes, at most. */
    private static final int ENTRY_OVERHEAD = 6;

    private static final int LARGEST_GUESS = 1 << 28;

    private MessagesFrame() {}

    /**
     * Writes it.
     *
     * @param raw whether the entries have their protobuf bytes ready; canal leaves the version out then
     */
    static ByteBuf of(PulledBatch batch, boolean raw) {
        long guess = LONGEST_HEAD
                + batch.sizeBytes()
                + (long) ENTRY_OVERHEAD * batch.entries().size();
        ByteWriter out = new ByteWriter((int) Math.min(guess, LARGEST_GUESS));
        out.ensure(LONGEST_HEAD);
        out.setSize(LONGEST_HEAD);
        EntryFields fields = new EntryFields(out);
        for (Entry entry : batch.entries()) {
            fields.add(entry);
        }
        int start = putHead(out, batch.id(), raw ? TYPE : VERSION_AND_TYPE);
        return Unpooled.wrappedBuffer(out.array(), start, out.size() - start);
    }

    /** Puts the head in front of the entries, and returns where it starts. */
    private static int putHead(ByteWriter out, long batchId, byte[] type) {
        int idField = 1 + ByteWriter.varintLength(batchId);
        int body = idField + out.size() - LONGEST_HEAD;
        int packet = type.length + ByteWriter.varintLength(body) + body;
        int start = LONGEST_HEAD - (LENGTH_BYTES + packet - (out.size() - LONGEST_HEAD));
        byte[] array = out.array();
        array[start] = (byte) (packet >>> 24);
        array[start + 1] = (byte) (packet >>> 16);
        array[start + 2] = (byte) (packet >>> 8);
        array[start + 3] = (byte) packet;
        System.arraycopy(type, 0, array, start + LENGTH_BYTES, type.length);
        int at = ByteWriter.putVarint(array, start + LENGTH_BYTES + type.length, body);
        array[at] = BATCH_ID_TAG;
        ByteWriter.putVarint(array, at + 1, batchId);
        return start;
    }
}
