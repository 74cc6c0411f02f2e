package io.sluice.server.simulation;

import io.sluice.connector.api.deliver.SimulatedBroker.Clock;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.error.ServerErrors;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.testkit.binlog.SyntheticBinlog;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A dump of a host's binlog. A reader that would wait for an event must not ask for it: {@link #isReady} returns whether one is there.
 */
final class SimulatedDump implements EventSource {
    private static final int NEXT_OFFSET = 13;
    private static final int FLAGS = 17;
    private static final int ARTIFICIAL = 0x20;
    private static final int ROTATE_NAME = 27;

    private final SimulatedHost host;
    private final DumpRequest request;
    private final Clock time;
    private final boolean hasMore;
    private final boolean beatsAtOnce;
    private List<byte[]> events;
    private int version;
    private int sent;
    private String firstFile = "";
    private String file = "";
    private long heartbeatNanos;
    private int beatsNext;
    private boolean isLost;
    private boolean isClosed;

    /**
     * Begins a dump.
     *
     * @param hasMore whether all events that exist are there at once; if not, the next one must be asked for by itself
     * @param beatsAtOnce whether heartbeats come after each format description, as if the host had nothing else
     * @throws IOException if the host does not have the requested position
     */
    SimulatedDump(SimulatedHost host, DumpRequest request, Clock time, boolean hasMore, boolean beatsAtOnce)
            throws IOException {
        this.host = host;
        this.request = request;
        this.time = time;
        this.hasMore = hasMore;
        this.beatsAtOnce = beatsAtOnce;
        this.events = requested();
        this.version = host.version();
        this.heartbeatNanos = time.elapsedNanos() + request.heartbeatPeriod().toNanos();
        host.add(this);
    }

    private List<byte[]> requested() throws IOException {
        SyntheticBinlog binlog = host.binlog();
        if (request.executed() != null && host.refusesGtids()) {
            throw ServerErrors.unreadable(
                    "The replication sender thread cannot start in AUTO_POSITION mode: this server has GTID_MODE = OFF_PERMISSIVE instead of ON.");
        }
        try {
            if (request.executed() != null) {
                long executed = lastOf(request.executed().toString());
                firstFile = firstFile.isEmpty() ? binlog.fileAfter(executed) : firstFile;
                return binlog.dumpAfter(executed, firstFile);
            }
            if (binlog.fileNames().contains(request.file()) && request.position() > binlog.fileBytes(request.file())) {
                throw ServerErrors.unreadable("Client requested source to start replication from position > file size");
            }
            return binlog.dump(request.file(), request.position());
        } catch (IllegalArgumentException e) {
            throw ServerErrors.unreadable(
                    request.executed() == null
                            ? "Could not find first log file name in binary log index file"
                            : "Cannot replicate because the source purged required binary logs");
        }
    }

    private static long lastOf(String executed) {
        return executed.isEmpty()
                ? 0
                : Long.parseLong(
                        executed.substring(Math.max(executed.lastIndexOf('-'), executed.lastIndexOf(':')) + 1));
    }

    /** Whether the next event, or the end of the connection, does not have to be waited for. */
    boolean isReady() {
        if (!isLost && version != host.version()) {
            try {
                events = requested();
                version = host.version();
            } catch (IOException e) {
                lose();
            }
        }
        return isLost || beatsNext > 0 || sent < events.size() || time.elapsedNanos() >= heartbeatNanos;
    }

    /** How long until there is a heartbeat. */
    long nanosLeft() {
        return heartbeatNanos - time.elapsedNanos();
    }

    /** The connection is lost. */
    void lose() {
        isLost = true;
    }

    boolean isClosed() {
        return isClosed;
    }

    @Override
    public int next(ByteWriter out) throws IOException {
        if (isLost || isClosed) {
            throw new EOFException("the connection to " + host.address() + " is lost");
        }
        if (version != host.version()) {
            events = requested();
            version = host.version();
        }
        byte[] event;
        if (beatsNext > 0) {
            beatsNext--;
            event = host.binlog().heartbeat(0);
        } else if (sent < events.size()) {
            event = events.get(sent);
            requireUndamaged(event);
            sent++;
            beatsNext = beatsAtOnce && (event[4] & 0xFF) == SyntheticBinlog.FORMAT_DESCRIPTION ? 2 : 0;
        } else if (!request.waitsForMore()) {
            return -1;
        } else if (time.elapsedNanos() >= heartbeatNanos) {
            event = host.binlog().heartbeat(host.binlog().end());
        } else {
            throw new AssertionError("an event is asked for, and there is none");
        }
        heartbeatNanos = time.elapsedNanos() + request.heartbeatPeriod().toNanos();
        out.write(event, 0, event.length);
        return event.length;
    }

    /** A server detects a damage when it reads it, after it has sent the head of the file. */
    private void requireUndamaged(byte[] event) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN);
        boolean isArtificial = (bytes.getShort(FLAGS) & ARTIFICIAL) != 0;
        if (isArtificial && (event[4] & 0xFF) == SyntheticBinlog.ROTATE) {
            file = new String(event, ROTATE_NAME, "binlog.000001".length(), StandardCharsets.US_ASCII);
        }
        if (!isArtificial && host.isDamagedAt(file, bytes.getInt(NEXT_OFFSET))) {
            throw ServerErrors.unreadable(
                    "binlog truncated in the middle of event; consider out of disk space on source");
        }
    }

    @Override
    public boolean hasBuffered() {
        return hasMore && !isLost && sent < events.size() && version == host.version();
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
