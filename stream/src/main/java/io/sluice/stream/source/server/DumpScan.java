package io.sluice.stream.source.server;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.FormatDescription;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.wire.BinlogStream;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * Scans files over connections of their own, by dumps that end with the file. Each has a {@code server_id} of its own, since MariaDB ends other dumps
 * with the same one: a stream may be read, and another file be scanned, at the same time.
 */
public final class DumpScan implements BinlogScan {
    private static final long LOWEST_SERVER_ID = 1L << 31;

    /** Sets are decoded from it, which are about as large. */
    private static final long LARGEST_SET_BYTES = ResultLimit.LARGE.packetBytes();

    private final ConnectOptions login;
    private final Set<MySqlConnection> open = ConcurrentHashMap.newKeySet();
    private volatile boolean aborted;

    public DumpScan(ConnectOptions login) {
        this.login = login;
    }

    private static DumpRequest request(String file, long offset) {
        long serverId = ThreadLocalRandom.current().nextLong(LOWEST_SERVER_ID, 2 * LOWEST_SERVER_ID);
        return DumpRequest.from(file, offset, serverId)
                .withHeartbeatPeriod(Duration.ZERO)
                .upToTheEnd();
    }

    private MySqlConnection connect() throws IOException {
        MySqlConnection connection = MySqlConnection.open(login);
        open.add(connection);
        if (aborted) {
            close(connection);
            throw new IOException("the search in the binlog was aborted");
        }
        return connection;
    }

    private void close(MySqlConnection connection) {
        open.remove(connection);
        connection.close();
    }

    @Override
    public void scan(String file, Visitor visitor) throws IOException {
        scan(new BinlogPosition(file, DumpRequest.FIRST_POSITION), visitor);
    }

    @Override
    public void scan(BinlogPosition from, Visitor visitor) throws IOException {
        scan(from, visitor, ofFile -> {});
    }

    /** By one dump, which begins with the format description of the file. A request cannot state all offsets; then the whole file is read. */
    @Override
    public FileEnd end(BinlogPosition at) throws IOException {
        if (at.offset() > DumpRequest.LARGEST_POSITION) {
            return BinlogScan.super.end(at);
        }
        long[] begun = {0};
        boolean[] follows = {false};
        scan(
                at,
                (header, body, start, end) -> {
                    follows[0] = true;
                    return false;
                },
                ofFile -> begun[0] = ofFile.timestampSeconds());
        return new FileEnd(begun[0], !follows[0]);
    }

    /** @param head takes the header of the file's first event, if the dump begins within the file */
    private void scan(BinlogPosition from, Visitor visitor, Consumer<EventHeader> head) throws IOException {
        ByteWriter events = new ByteWriter(1 << 16);
        MySqlConnection connection = connect();
        try {
            boolean checksummed = new MySqlServerFacts(connection).writesChecksums();
            BinlogStream stream = connection.dump(request(from.file(), from.offset()));
            show(stream, events, from.offset(), checksummed, visitor, head);
        } catch (MalformedEventException e) {
            throw new IOException(
                    "an event of %s at %s cannot be read: %s".formatted(from.file(), login.address(), e.getMessage()),
                    e);
        } finally {
            close(connection);
        }
    }

    @Override
    public EventSource read(BinlogPosition from) throws IOException {
        MySqlConnection connection = connect();
        try {
            BinlogStream stream = connection.dump(request(from.file(), from.offset()));
            return new DumpSource(connection, stream, true, () -> open.remove(connection));
        } catch (IOException | RuntimeException e) {
            close(connection);
            throw e;
        }
    }

    private static void show(
            BinlogStream stream,
            ByteWriter events,
            long from,
            boolean checksummed,
            Visitor visitor,
            Consumer<EventHeader> head)
            throws IOException {
        boolean checked = checksummed;
        boolean begun = false; // by the name of the file
        long offset = from;
        for (int had = next(stream, events); had >= 0; had = next(stream, events)) {
            EventHeader header = EventHeader.read(events.array(), 0, had);
            int length = header.length();
            if (header.isArtificial() || isHeartbeat(header.code()) || isOfHead(header, offset)) {
                if (header.code() == EventCode.ROTATE) {
                    if (begun) {
                        return; // what follows is in the next file
                    }
                    begun = true;
                }
            } else {
                begun = true;
                int bodyEnd = had;
                if (header.code() == EventCode.FORMAT_DESCRIPTION) {
                    checked = FormatDescription.decode(new EventBody(events.array(), EventHeader.LENGTH, had))
                            .checksummed();
                    if (offset
                            > DumpRequest.FIRST_POSITION) { // that of the file, which a dump from within it begins with
                        head.accept(header);
                        events.clear();
                        continue;
                    }
                } else if (checked && had == length) {
                    bodyEnd -= FormatDescription.CHECKSUM_LENGTH;
                }
                EventBody body = new EventBody(events.array(), EventHeader.LENGTH, bodyEnd);
                if (!visitor.visit(header, body, offset, offset + length)) {
                    return;
                }
                offset += length;
            }
            events.clear();
        }
    }

    /** Of large events the first bytes are enough, but for those that list GTIDs. */
    private static int next(BinlogStream stream, ByteWriter events) throws IOException {
        int had = stream.next(events, EventSource.LARGEST_WHOLE, EventSource.FIRST_BYTES);
        if (stream.hasRest()) {
            EventHeader header = EventHeader.read(events.array(), 0, had);
            if (header.code() == EventCode.PREVIOUS_GTIDS || header.code() == EventCode.MARIADB_GTID_LIST) {
                if (header.length() > LARGEST_SET_BYTES) {
                    throw new MalformedEventException(
                            "it states %d bytes of GTIDs, more than the %d that this heap allows"
                                    .formatted(header.length(), LARGEST_SET_BYTES));
                }
                while (stream.hasRest() && events.size() < header.length()) {
                    events.ensure(1); // grows with what comes, whatever the header states
                    events.setSize(events.size()
                            + stream.rest(events.array(), events.size(), events.array().length - events.size()));
                }
                return events.size();
            }
        }
        return had;
    }

    /** Whether a dump from within a file begins with the event, which is at the head of the file. */
    private static boolean isOfHead(EventHeader header, long offset) {
        return header.code() == EventCode.MARIADB_START_ENCRYPTION
                && header.nextOffset() == 0
                && offset > DumpRequest.FIRST_POSITION;
    }

    private static boolean isHeartbeat(int code) {
        return code == EventCode.HEARTBEAT || code == EventCode.HEARTBEAT_V2;
    }

    @Override
    public void abort() {
        aborted = true;
        open.forEach(MySqlConnection::abort);
    }
}
