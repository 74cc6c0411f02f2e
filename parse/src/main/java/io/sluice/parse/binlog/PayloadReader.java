package io.sluice.parse.binlog;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks transaction payloads event by event.
 *
 * <p>It holds what Zstandard needs, which is the window that the source compressed with (2 MiB by default, 128 MiB at
 * most), and two small buffers, however large a payload is; what it states of its size is only compared. Reused from
 * payload to payload. For one thread.
 */
public final class PayloadReader implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 17;

    /** Events grow in steps of this size, so that a stated length takes no memory that the payload does not fill. */
    private static final int STEP_BYTES = 1 << 20;

    /** The largest {@code max_allowed_packet}, which no event exceeds by more than its header. */
    private static final int LARGEST_EVENT = (1 << 30) + (1 << 16);

    private @Nullable TransactionPayload payload;
    private long unpackedBytes;
    private int packedAt;
    private boolean frameEnded;

    /** Made for the first payload; most streams have none. */
    private @Nullable ZstdDecompressCtx zstd;

    private ByteBuffer packed = ByteBuffer.allocateDirect(0);
    private ByteBuffer unpacked = ByteBuffer.allocateDirect(0);

    /**
     * Begins a payload, in place of one that may be open.
     *
     * @param payload its bytes must stay as they are until it is read to its end
     */
    public void open(TransactionPayload payload) {
        this.payload = payload;
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
    }

    /**
     * Appends the next event, which has no checksum.
     *
     * @return its length in bytes, or −1 at the end of the payload, which is closed then
     * @throws MalformedEventException if the payload is damaged, or not as long as it states
     */
    public int next(ByteWriter out) {
        TransactionPayload open = payload;
        if (open == null) {
            throw new IllegalStateException("no payload is open");
        }
        if (!fill(open)) {
            if (open.unpackedBytes() >= 0 && unpackedBytes != open.unpackedBytes()) {
                throw damaged("has %d bytes unpacked, it states %d".formatted(unpackedBytes, open.unpackedBytes()));
            }
            payload = null;
            return -1;
        }
        int from = out.size();
        append(open, EventHeader.LENGTH, out);
        EventHeader header = EventHeader.read(out.array(), from, EventHeader.LENGTH);
        if (header.length() > LARGEST_EVENT) {
            throw damaged("has an event of %d bytes".formatted(header.length()));
        }
        append(open, header.length() - EventHeader.LENGTH, out);
        return header.length();
    }

    private void append(TransactionPayload open, int wanted, ByteWriter out) {
        int left = wanted;
        while (left > 0) {
            if (!fill(open)) {
                throw damaged("ends within an event, %d bytes before its end".formatted(left));
            }
            int step = Math.min(Math.min(left, unpacked.remaining()), STEP_BYTES);
            out.ensure(step);
            unpacked.get(out.array(), out.size(), step);
            out.setSize(out.size() + step);
            left -= step;
        }
    }

    /** Unpacks more if nothing is left of what was; false at the end of the payload. */
    private boolean fill(TransactionPayload open) {
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

    private boolean fillPacked(TransactionPayload open) {
        if (!packed.hasRemaining()) {
            int step = Math.min(BUFFER_BYTES, open.packed().end() - packedAt);
            packed.clear();
            packed.put(open.packed().array(), packedAt, step);
            packed.flip();
            packedAt += step;
        }
        return packed.hasRemaining();
    }

    private static MalformedEventException damaged(String what) {
        return new MalformedEventException("a transaction payload " + what);
    }

    /** Frees what Zstandard holds outside of the heap. Closing twice does nothing. */
    @Override
    public void close() {
        payload = null;
        if (zstd != null) {
            zstd.close();
            zstd = null;
        }
    }
}
