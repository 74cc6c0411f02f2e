package io.sluice.server.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.sluice.format.entry.ChangeId;
import io.sluice.format.entry.Entry;
import io.sluice.format.protobuf.EntryFields;
import io.sluice.format.protobuf.ProtobufEncoder;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.bytes.TooManyBytesException;
import io.sluice.server.pull.PulledBatch;
import io.sluice.stream.failure.StreamException;

/**
 * Writes a batch as the frame that answers a get.
 *
 * <pre>
 *   &lt;length, u32 BE&gt; [10 01] 18 07 2a &lt;length&gt; 08 &lt;batch id&gt; (12 &lt;length&gt; &lt;entry&gt;)…
 * </pre>
 *
 * <p>The entries are written into a small buffer, and that into pieces of pooled memory that the socket takes as they are, so
 * that a large batch needs no large array. The head, whose lengths are known only then, is put in front of the pieces.
 */
final class MessagesFrame {
    private static final byte[] TYPE = {0x18, 0x07, 0x2a};
    private static final byte[] VERSION_AND_TYPE = {0x10, 0x01, 0x18, 0x07, 0x2a};
    private static final byte BATCH_ID_TAG = 0x08;
    private static final int MAX_HEAD_BYTES = Integer.BYTES + VERSION_AND_TYPE.length + 5 + 1 + 10;

    private static final int PIECE_BYTES = 128 * 1024;

    /** A buffer that one huge entry has made larger than this is not kept. */
    private static final int LARGEST_KEPT_BYTES = 1024 * 1024;

    /** The entries before it in its batch have half of this, or little more. */
    private static final int LARGEST_OTHERS_BYTES = 128 * 1024 * 1024;

    /** An entry whose message is larger than this cannot be sent: it is made in an array, which grows by copies. */
    private static final int LARGEST_ENTRY_BYTES =
            (int) Math.min(Runtime.getRuntime().maxMemory() / 4, Integer.MAX_VALUE - LARGEST_OTHERS_BYTES);

    private static final ThreadLocal<ByteWriter> BUFFERS = ThreadLocal.withInitial(MessagesFrame::newBuffer);

    private MessagesFrame() {}

    /**
     * Writes it.
     *
     * @param raw whether the entries have their protobuf bytes ready; canal leaves the version out then
     * @throws IllegalStateException if it is larger than a frame can be
     * @throws StreamException if the message of an entry is larger than a quarter of the heap
     */
    static ByteBuf of(PulledBatch batch, boolean raw, ByteBufAllocator memory) {
        CompositeByteBuf pieces = memory.compositeDirectBuffer(Integer.MAX_VALUE);
        try {
            ByteWriter buffer = BUFFERS.get();
            EntryFields fields = new EntryFields(new ProtobufEncoder(), buffer);
            for (Entry entry : batch.entries()) {
                add(entry, fields);
                if (buffer.size() >= PIECE_BYTES) {
                    move(buffer, pieces);
                }
            }
            move(buffer, pieces);
            return pieces.addComponent(true, 0, head(batch.id(), raw ? TYPE : VERSION_AND_TYPE, pieces, memory));
        } catch (RuntimeException | Error e) {
            pieces.release();
            BUFFERS.remove();
            throw e;
        }
    }

    private static void add(Entry entry, EntryFields fields) {
        try {
            fields.add(entry);
        } catch (TooManyBytesException e) {
            ChangeId change = entry.changeId();
            throw new StreamException(
                    SourceFailure.EVENT_TOO_LARGE,
                    "the message of the event of %s.%s at %s:%d cannot be sent, limit for this heap is %d bytes: %s; raise -Xmx or exclude the table, and restart; it resumes at this event"
                            .formatted(
                                    entry.schemaName(),
                                    entry.tableName(),
                                    change.file(),
                                    change.offset(),
                                    LARGEST_ENTRY_BYTES,
                                    e.getMessage()),
                    e);
        }
    }

    /** Moves what a buffer holds into a piece of its own. */
    private static void move(ByteWriter buffer, CompositeByteBuf pieces) {
        if ((long) pieces.writerIndex() + buffer.size() > Integer.MAX_VALUE - MAX_HEAD_BYTES) {
            throw new IllegalStateException("a batch of more than 2 GiB cannot be sent");
        }
        if (buffer.size() > 0) {
            pieces.addComponent(
                    true, pieces.alloc().directBuffer(buffer.size()).writeBytes(buffer.array(), 0, buffer.size()));
        }
        buffer.clear();
        if (buffer.array().length > LARGEST_KEPT_BYTES) {
            BUFFERS.remove();
        }
    }

    private static ByteBuf head(long batchId, byte[] type, ByteBuf entries, ByteBufAllocator memory) {
        int body = 1 + ByteWriter.varintLength(batchId) + entries.readableBytes();
        byte[] head = new byte[MAX_HEAD_BYTES];
        System.arraycopy(type, 0, head, Integer.BYTES, type.length);
        int at = ByteWriter.putVarint(head, Integer.BYTES + type.length, body);
        head[at] = BATCH_ID_TAG;
        int end = ByteWriter.putVarint(head, at + 1, batchId);
        int packet = end - Integer.BYTES + entries.readableBytes();
        return memory.directBuffer(end).writeBytes(head, 0, end).setInt(0, packet);
    }

    private static ByteWriter newBuffer() {
        ByteWriter buffer = new ByteWriter(2 * PIECE_BYTES);
        buffer.limitTo(PIECE_BYTES + LARGEST_ENTRY_BYTES);
        return buffer;
    }
}
