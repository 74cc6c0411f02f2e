package io.sluice.mysql.binlog;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses transaction payloads, event by event.
 *
 * <p>It holds what Zstandard needs, which is the window that the source compressed with (2 MiB by default, 128 MiB at
 * most), and some small buffers, however large a payload is; what it states of its size is only compared. Large events are
 * cut as those of an {@link EventSource} are. Reused from payload to payload. For one thread.
 */
public final class PayloadReader implements NestedEvents, AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 17;

    /** The largest {@code max_allowed_packet}, which no event exceeds by more than its header. */
    private static final int LARGEST_EVENT = (1 << 30) + (1 << 16);

    private @Nullable TransactionPayload payload;
    private @Nullable EventRemainder rest;
    private long unpackedBytes;
    private int packedAt;
    private boolean frameEnded;

    /** How much of the event that came last is still to be read. */
    private int unread;

    /** Made for the first payload; most streams have none. */
    private @Nullable ZstdDecompressCtx zstd;

    private ByteBuffer packed = ByteBuffer.allocateDirect(0);
    private ByteBuffer unpacked = ByteBuffer.allocateDirect(0);

    /** The input buffer of Zstandard for payloads that are read in pieces; allocated for the first such payload. */
    private byte[] between = {};

    /**
     * Begins a payload, in place of one that may be open.
     *
     * @param payload its bytes must stay as they are until it is read to its end
     */
    public void open(TransactionPayload payload) {
        open(payload, null);
    }

    /**
     * Opens a payload of which perhaps only the first bytes are there.
     *
     * @param rest gives what is after them, as it is needed; null if there is nothing
     */
    public void open(TransactionPayload payload, @Nullable EventRemainder rest) {
        this.payload = payload;
        this.rest = rest;
        unread = 0;
        unpackedBytes = 0;
        packedAt = payload.packed().offset();
        frameEnded = true;
        if (zstd == null) {
            zstd = openZstd();
            packed = ByteBuffer.allocateDirect(BUFFER_BYTES);
            unpacked = ByteBuffer.allocateDirect(BUFFER_BYTES);
        }
        zstd.reset();
        packed.clear().limit(0);
        unpacked.clear().limit(0);
    }

    private static ZstdDecompressCtx openZstd() {
        try {
            return new ZstdDecompressCtx();
        } catch (LinkageError e) {
            throw new MalformedEventException(
                    "it is compressed, and the native library of Zstandard cannot be loaded; let java.io.tmpdir be a"
                            + " directory that programs may be run from, or set binlog_transaction_compression=OFF on"
                            + " the source",
                    e);
        }
    }

    /** Whether a payload was begun and not read to its end. */
    public boolean isOpen() {
        return payload != null;
    }

    /** Lets go of the payload. */
    public void abandon() {
        payload = null;
        rest = null;
    }

    /**
     * Appends the next event, which has no checksum; of one that is larger than {@link EventSource#LARGEST_WHOLE} the first
     * {@link EventSource#FIRST_BYTES}.
     *
     * @return how many bytes were appended, or −1 at the end of the payload, which is closed then
     * @throws MalformedEventException if the payload is damaged, or not as long as it states
     * @throws IOException if there is a rest of it that cannot be read
     */
    @Override
    public int next(ByteWriter out) throws IOException {
        TransactionPayload open = opened();
        while (unread > 0 && fill(open)) {
            int step = Math.min(unread, unpacked.remaining());
            unpacked.position(unpacked.position() + step);
            unread -= step;
        }
        requireWhole();
        if (!fill(open)) {
            if (open.unpackedBytes() >= 0 && unpackedBytes != open.unpackedBytes()) {
                throw damaged("has %d bytes unpacked, it states %d".formatted(unpackedBytes, open.unpackedBytes()));
            }
            abandon();
            return -1;
        }
        int from = out.size();
        unread = EventHeader.LENGTH;
        append(EventHeader.LENGTH, out);
        int length = EventHeader.read(out.array(), from, EventHeader.LENGTH).length();
        if (length > LARGEST_EVENT || open.unpackedBytes() >= 0 && length > open.unpackedBytes()) {
            throw damaged("has an event of %d bytes".formatted(length));
        }
        unread = length - EventHeader.LENGTH;
        append((length <= EventSource.LARGEST_WHOLE ? length : EventSource.FIRST_BYTES) - EventHeader.LENGTH, out);
        return out.size() - from;
    }

    private TransactionPayload opened() {
        TransactionPayload open = payload;
        if (open == null) {
            throw new IllegalStateException("no payload is open");
        }
        return open;
    }

    /** Whether the last event was cut and is not read to its end yet. */
    @Override
    public boolean hasRest() {
        return unread > 0;
    }

    /**
     * Gives more of an event that was cut.
     *
     * @param to takes the bytes, from {@code at} on
     * @param most how many at most, at least 1
     * @return how many there were, at least 1; −1 at the end of the event
     * @throws MalformedEventException if the payload is damaged
     * @throws IOException if there is a rest of it that cannot be read
     */
    @Override
    public int rest(byte[] to, int at, int most) throws IOException {
        if (unread == 0) {
            return -1;
        }
        if (!fill(opened())) {
            requireWhole();
        }
        int count = Math.min(Math.min(most, unread), unpacked.remaining());
        unpacked.get(to, at, count);
        unread -= count;
        return count;
    }

    private void append(int wanted, ByteWriter out) throws IOException {
        out.ensure(wanted);
        int end = out.size() + wanted;
        while (out.size() < end) {
            out.setSize(out.size() + rest(out.array(), out.size(), end - out.size()));
        }
    }

    private void requireWhole() {
        if (unread > 0) {
            throw damaged("ends within an event, %d bytes before its end".formatted(unread));
        }
    }

    /** Decompresses more if the buffer is empty; false at the end of the payload. */
    private boolean fill(TransactionPayload open) throws IOException {
        while (!unpacked.hasRemaining()) {
            boolean outOfInput = !fillPacked(open);
            if (outOfInput && frameEnded) {
                return false;
            }
            unpacked.clear();
            int inputLeft = packed.remaining();
            if (open.zstd()) {
                unpack();
            } else {
                unpacked.put(packed);
            }
            unpacked.flip();
            unpackedBytes += unpacked.remaining();
            if (!unpacked.hasRemaining() && packed.remaining() == inputLeft) {
                throw damaged("ends too early");
            }
            if (open.unpackedBytes() >= 0 && unpackedBytes > open.unpackedBytes()) {
                throw damaged("has more than the %d bytes unpacked that it states".formatted(open.unpackedBytes()));
            }
        }
        return true;
    }

    private void unpack() {
        ZstdDecompressCtx context = zstd;
        if (context == null) {
            throw new IllegalStateException("the reader is closed");
        }
        try {
            frameEnded = context.decompressDirectByteBufferStream(unpacked, packed);
        } catch (ZstdException e) {
            throw new MalformedEventException("a transaction payload cannot be unpacked: " + e.getMessage(), e);
        }
    }

    private boolean fillPacked(TransactionPayload open) throws IOException {
        if (!packed.hasRemaining()) {
            packed.clear();
            int step = Math.min(BUFFER_BYTES, open.packed().end() - packedAt);
            if (step > 0) {
                packed.put(open.packed().array(), packedAt, step);
                packedAt += step;
            } else if (rest != null) {
                fillFrom(rest);
            }
            packed.flip();
        }
        return packed.hasRemaining();
    }

    private void fillFrom(EventRemainder more) throws IOException {
        if (between.length == 0) {
            between = new byte[BUFFER_BYTES];
        }
        int count = more.read(between, 0, between.length);
        if (count > 0) {
            packed.put(between, 0, count);
        }
    }

    private static MalformedEventException damaged(String what) {
        return new MalformedEventException("a transaction payload " + what);
    }

    /** Frees the memory of Zstandard outside of the heap. Closing twice does nothing. */
    @Override
    public void close() {
        abandon();
        if (zstd != null) {
            zstd.close();
            zstd = null;
        }
    }
}
