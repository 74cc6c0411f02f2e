package io.sluice.connector.api.convert;

import io.sluice.connector.api.producer.Message;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.bytes.TooManyBytesException;

/**
 * The largest size of a message, so that one that no broker accepts is not even made.
 *
 * @param producerBytes up to which size the producer takes it
 * @param heapBytes for which size there is memory
 */
public record ValueLimit(int producerBytes, int heapBytes) {
    /** Messages of all sizes are made. */
    public static final ValueLimit NONE = new ValueLimit(Integer.MAX_VALUE, Integer.MAX_VALUE);

    /** Room is made before it is known how much is needed, so there is more of it than the producer takes. */
    private static final int SPARE_BYTES = 1 << 16;

    private static final byte[] NO_VALUE = {};

    /** Lets a buffer take one more message, or entry of it. */
    void begin(ByteWriter buffer) {
        long most = Math.min(heapBytes, 2L * producerBytes + SPARE_BYTES);
        buffer.limitTo((int) Math.min(buffer.size() + most, Integer.MAX_VALUE));
    }

    /**
     * Returns a message that replaces one that is too large.
     *
     * @param message where it would have gone
     * @param entry what would have been in it
     */
    OutgoingMessage rejection(Message message, Entry entry, TooManyBytesException cause) {
        String reason = "%s; the producer takes messages of up to %d bytes, and with this heap they have up to %d"
                .formatted(cause.getMessage(), producerBytes, heapBytes);
        Message empty = new Message(message.topic(), message.partition(), message.key(), NO_VALUE, message.headers());
        return new OutgoingMessage(
                empty,
                entry,
                entry,
                OutgoingMessage.changesOf(entry),
                new OutgoingMessage.Unmade(cause.bytes(), reason));
    }

    static byte[] noValue() {
        return NO_VALUE;
    }
}
