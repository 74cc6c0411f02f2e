package io.sluice.format.protobuf;

import io.sluice.format.entry.Entry;
import io.sluice.format.message.BatchOrigin;
import io.sluice.format.message.MessageEncoder;
import io.sluice.protocol.bytes.ByteWriter;

/**
 * Writes entries, one after the other, as the field {@code messages} of a protobuf body of type MESSAGES.
 *
 * <pre>
 *   (12 &lt;length&gt; &lt;entry&gt;)…
 * </pre>
 *
 * <p>For one thread.
 */
public final class EntryFields {
    private static final int MESSAGES_TAG = 0x12;
    private static final int MAX_LENGTH_BYTES = 5; // bytes of the varint of an int

    /** A protobuf entry has no field of its batch. */
    private static final BatchOrigin NO_BATCH = new BatchOrigin(0, 0);

    private final MessageEncoder encoder;
    private final ByteWriter out;

    /** How many bytes the last entry's length took: the guess for the next. */
    private int lengthBytes = 2;

    /**
     * Writes to the end of a buffer.
     *
     * @param encoder writes the entries as protobuf; used by this thread alone meanwhile
     */
    public EntryFields(MessageEncoder encoder, ByteWriter out) {
        this.encoder = encoder;
        this.out = out;
    }

    /** Writes an entry after its length, which is known only afterwards: room is left for it, and rarely corrected. */
    public void add(Entry entry) {
        out.writeByte(MESSAGES_TAG);
        int lengthAt = out.size();
        out.ensure(MAX_LENGTH_BYTES);
        out.setSize(lengthAt + lengthBytes);
        encoder.encode(entry, NO_BATCH, out);
        int length = out.size() - lengthAt - lengthBytes;
        int needed = ByteWriter.varintLength(length);
        if (needed != lengthBytes) {
            out.ensure(MAX_LENGTH_BYTES);
            System.arraycopy(out.array(), lengthAt + lengthBytes, out.array(), lengthAt + needed, length);
            out.setSize(lengthAt + needed + length);
            lengthBytes = needed;
        }
        ByteWriter.putVarint(out.array(), lengthAt, length);
    }
}
