package io.sluice.mysql.wire;

import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.dump.EventsBefore;
import io.sluice.mysql.wire.error.MalformedPacketException;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.packet.ErrorPacket;
import io.sluice.mysql.wire.packet.PacketChannel;
import io.sluice.mysql.wire.packet.Payload;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.time.Time;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of a server's binlog as they come over a connection, which belongs to the stream. Page <em>Binlog Network
 * Stream</em> of MySQL's source code documentation.
 *
 * <pre>
 *   0      1
 *   +------+----------------------------------------------------+
 *   | 0x00 | event: header, body, checksum if the server has it |
 *   +------+----------------------------------------------------+
 * </pre>
 *
 * <p>For one thread; only {@link MySqlConnection#abort()} may come from another.
 */
public final class BinlogStream implements EventSource {
    private static final Logger LOG = LoggerFactory.getLogger(BinlogStream.class);
    private static final long REPORT_NANOS = Duration.ofSeconds(10).toNanos();

    private static final int EVENT = 0x00;
    private static final int EOF = 0xFE;
    private static final int END = -1;

    /** Far more than an error packet has. */
    private static final int MAX_END_BYTES = 64 * 1024;

    private final ConnectionSocket socket;
    private final PacketChannel channel;
    private final DumpRequest request;
    /** What comes before the position that was requested; null if that is reached. */
    private @Nullable EventsBefore before;

    private long received;
    private long receivedBytes;
    private volatile long passedEvents;
    private volatile long passedBytes;
    private long reportedNanos = Time.SYSTEM.nanos();
    private boolean ended;

    BinlogStream(ConnectionSocket socket, PacketChannel channel, DumpRequest request) {
        this.socket = socket;
        this.channel = channel;
        this.request = request;
        this.before = request.isBeyondCommand() ? new EventsBefore(request) : null;
    }

    /**
     * Waits for the next event and appends its bytes to {@code out}. When it throws, {@code out} is as it was before,
     * and the connection is closed.
     *
     * @return how many bytes the event has, or -1 if the server ended the stream in good order
     * @throws SourceException if no event begins at the requested position, and that is beyond what the command can state: PURGED if it is beyond the end
     *     of the file, else MISCONFIGURED; CORRUPT if what is before it cannot be read
     * @throws ServerErrorException if the server ends the stream with an error, such as {@link
     *     ServerErrorException#isBinlogUnreadable()}
     * @throws java.net.SocketTimeoutException if nothing came for the read timeout, not even a heartbeat
     * @throws MalformedPacketException if what came is not the protocol
     * @throws IOException if the connection fails or is aborted
     */
    @Override
    public int next(ByteWriter out) throws IOException {
        return next(out, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    /**
     * Appends the next event as {@link #next(ByteWriter)} does, but of one that is larger than {@code largestWhole} only the {@code first}
     * bytes; {@link #rest} gives the others, or the next call passes over them.
     *
     * @param first less than {@code largestWhole}
     * @return how many bytes were appended, or -1 if the server ended the stream in good order
     */
    public int next(ByteWriter out, int largestWhole, int first) throws IOException {
        int had = receive(out, largestWhole, first);
        EventsBefore ahead = before;
        while (ahead != null && ahead.isAhead()) {
            if (had < 0) {
                socket.close();
                throw new EOFException(
                        "%s: the server has ended it at %d, before that".formatted(reading(), ahead.offset()));
            }
            if (!isPassedOver(ahead, out, had)) {
                return had;
            }
            had = receive(out, largestWhole, first);
        }
        before = null;
        return had;
    }

    private boolean isPassedOver(EventsBefore ahead, ByteWriter out, int had) throws IOException {
        int from = out.size() - had;
        try {
            EventHeader header = header(ahead, out, from, had);
            boolean isPassed = ahead.isPassedOver(header);
            if (isPassed) {
                out.setSize(from);
                passed(header.length(), ahead);
            }
            return isPassed;
        } catch (SourceException e) {
            out.setSize(from);
            socket.close();
            throw e;
        }
    }

    private static EventHeader header(EventsBefore ahead, ByteWriter out, int from, int had) throws SourceException {
        try {
            return EventHeader.read(out.array(), from, had);
        } catch (MalformedEventException e) {
            throw ahead.unreadable(e);
        }
    }

    private void passed(int length, EventsBefore ahead) {
        received++;
        receivedBytes += length;
        passedEvents = received;
        passedBytes = receivedBytes;
        long now = Time.SYSTEM.nanos();
        if (now - reportedNanos >= REPORT_NANOS) {
            reportedNanos = now;
            LOG.info(
                    "passing over what is before the position: source={} position={} reached={}",
                    socket.address(),
                    request.start(),
                    ahead.offset());
        }
    }

    @Override
    public Passed passed() {
        return new Passed(passedEvents, passedBytes);
    }

    private int receive(ByteWriter out, int largestWhole, int first) throws IOException {
        if (ended) {
            return END;
        }
        int before = out.size();
        try {
            channel.passRest();
            int length = channel.receiveHeader();
            if (length == 0) {
                throw new MalformedPacketException("packet is empty");
            }
            int kind = channel.receiveByte();
            if (kind == EVENT) {
                if (length - 1 <= largestWhole) {
                    channel.receiveRest(length, length - 1, out);
                } else {
                    channel.receiveFirst(length, length - 1, first, out);
                }
                return out.size() - before;
            }
            end(kind, length);
            return END;
        } catch (IOException e) {
            out.setSize(before);
            throw socket.failed(reading(), e);
        }
    }

    /** Whether there is more of an event of which only the first bytes came. */
    @Override
    public boolean hasRest() {
        return channel.hasRest();
    }

    /**
     * Waits for more of that event.
     *
     * @return how many bytes there were, at least 1; −1 at its end
     * @throws IOException as {@link #next} does
     */
    @Override
    public int rest(byte[] to, int at, int most) throws IOException {
        try {
            return channel.receiveSome(to, at, most);
        } catch (IOException e) {
            throw socket.failed(reading(), e);
        }
    }

    private void end(int kind, int length) throws IOException {
        if (kind != ErrorPacket.HEADER && kind != EOF) {
            throw new MalformedPacketException("packet starts with 0x%02x, which is no event".formatted(kind));
        }
        if (length > MAX_END_BYTES) {
            throw new MalformedPacketException("packet that ends the binlog has %d bytes".formatted(length));
        }
        ByteWriter packet = new ByteWriter(Math.min(length, 512));
        packet.writeByte(kind);
        channel.receiveRest(length, length - 1, packet);
        if (kind == ErrorPacket.HEADER) {
            ErrorPacket error = ErrorPacket.decode(new Payload(packet.array(), 0, packet.size()));
            throw error.toException(reading(), "").ofDump();
        }
        ended = true;
    }

    private String reading() {
        return "cannot read binlog of %s, which was asked for from %s".formatted(socket.address(), request.start());
    }

    /** Whether a whole packet was received already, so that {@link #next} will not wait. */
    @Override
    public boolean hasBuffered() {
        return before == null && !channel.hasRest() && channel.hasBuffered();
    }

    /** Closes the connection. The server notices when it writes next: at the latest, when a heartbeat is due. */
    @Override
    public void close() {
        socket.close();
    }
}
