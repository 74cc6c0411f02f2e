package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.GtidEvent;
import io.sluice.mysql.binlog.MariaDbCompression;
import io.sluice.mysql.binlog.MariaDbGtidEvent;
import io.sluice.mysql.binlog.MariaDbGtidListEvent;
import io.sluice.mysql.binlog.PreviousGtidsEvent;
import io.sluice.mysql.binlog.QueryEvent;
import io.sluice.mysql.gtid.Gtid;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.transaction.TransactionCommand;
import io.sluice.mysql.transaction.TransactionTracker;
import io.sluice.mysql.transaction.TransactionTracker.Step;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows the transactions of one binlog file that is scanned, from its first event on.
 *
 * <p>A compressed transaction is one event, which is not unpacked. For one thread.
 */
final class FileTransactions {
    /** More than any statement has that is a command as a whole. */
    private static final int COMMAND_BYTES = 64;

    private final MariaDbCompression packed = new MariaDbCompression();
    private final TransactionTracker tracker = new TransactionTracker(BinlogPosition.UNKNOWN, null);
    private List<MariaDbGtid> newestOfServers = List.of();
    private boolean hasAnonymous;

    /** Returns what the head of a file states. */
    static FileHead head(String file, BinlogScan scan) throws IOException {
        FileTransactions transactions = new FileTransactions();
        scan.scan(
                file,
                (header, body, start, end) -> transactions.accept(header, body, start, end) == Step.OUTSIDE
                        && transactions.executed() == null);
        return new FileHead(transactions.executed(), transactions.newestOfServers);
    }

    /** Reads the next event, which starts at {@code start} and ends at {@code end}; returns its part in its transaction. */
    Step accept(EventHeader header, EventBody body, long start, long end) {
        int code = header.code();
        Step step = switch (code) {
            case EventCode.QUERY ->
                tracker.step(TransactionCommand.of(QueryEvent.decode(body).sql()));
            case EventCode.MARIADB_QUERY_COMPRESSED -> tracker.step(packedCommand(body));
            default -> tracker.step(code, body);
        };
        switch (code) {
            case EventCode.PREVIOUS_GTIDS ->
                tracker.follow(PreviousGtidsEvent.decode(body).gtids());
            case EventCode.MARIADB_GTID_LIST -> {
                newestOfServers = MariaDbGtidListEvent.decode(body).gtids();
                tracker.follow(MariaDbGtidSet.of(newestOfServers));
            }
            case EventCode.ANONYMOUS_GTID -> {
                hasAnonymous = true;
                tracker.announceAnonymous();
            }
            default -> {
                Gtid gtid = gtidOf(header, body);
                if (gtid != null) {
                    tracker.announce(gtid);
                }
            }
        }
        tracker.pass(step, "", start, end);
        return step;
    }

    /** Of a compressed statement, only what tells the command is unpacked: of a large event no more is there. */
    private TransactionCommand packedCommand(EventBody body) {
        ByteWriter sql = new ByteWriter(COMMAND_BYTES);
        packed.unpackFirst(QueryEvent.decode(body).sql(), COMMAND_BYTES, sql);
        return TransactionCommand.of(new EventBody(sql.array(), 0, sql.size()));
    }

    /** The GTID that an event announces; null if it announces none. */
    static @Nullable Gtid gtidOf(EventHeader header, EventBody body) {
        return switch (header.code()) {
            case EventCode.GTID -> GtidEvent.decode(body).gtid();
            case EventCode.GTID_TAGGED -> GtidEvent.decodeTagged(body).gtid();
            case EventCode.MARIADB_GTID -> MariaDbGtidEvent.decode(header, body).gtid();
            default -> null;
        };
    }

    /** Whether no transaction is open or announced. */
    boolean isBetween() {
        return tracker.isBetween();
    }

    /** The offset where the transaction that is open or announced begins, or else the next one. */
    long boundary() {
        return tracker.boundary().offset();
    }

    /** Whether a transaction without a GTID was seen. */
    boolean hasAnonymous() {
        return hasAnonymous;
    }

    /** The transactions before {@link #boundary}; null if the file does not state them. */
    @Nullable GtidSet executed() {
        return tracker.executed();
    }

    /** {@link #executed} with the transaction that is open or announced; null if the file does not state them. */
    @Nullable GtidSet withCurrent() {
        return tracker.withCurrent();
    }
}
