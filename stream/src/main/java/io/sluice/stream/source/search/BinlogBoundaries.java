package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.ShortenedGtidSet;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.mysql.transaction.TransactionTracker.Step;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.BinlogStorage;
import io.sluice.stream.source.server.DumpScan;
import io.sluice.stream.source.server.MySqlServerFacts;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceHost;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Finds transaction boundaries in a server's binlog to which a cursor can be set, and counts the transactions between two. For one
 * thread.
 */
public final class BinlogBoundaries implements AutoCloseable {
    /** How many transactions of servers a message has. */
    private static final int MOST_SHOWN = 10;

    private final ConnectOptions login;
    private final MySqlConnection connection;
    private final ServerFacts facts;
    private final BinlogScan scan;
    private final BooleanSupplier isAbandoned;

    private BinlogBoundaries(ConnectOptions login, MySqlConnection connection, BooleanSupplier isAbandoned) {
        this.login = login;
        this.connection = connection;
        this.facts = new MySqlServerFacts(connection);
        this.scan = new AbandonableScan(new DumpScan(login), isAbandoned);
        this.isAbandoned = isAbandoned;
    }

    /**
     * The distance between two boundaries.
     *
     * @param backwards whether the second comes before the first
     * @param transactions how many, a DDL is one
     * @param rowEvents how many of their events have rows; those within compressed transactions are not counted
     * @param bytes how long they are in the binlog
     */
    public record Distance(boolean backwards, long transactions, long rowEvents, long bytes) {}

    /**
     * Connects to a server.
     *
     * @throws IOException if it cannot be reached, or has its binlog not in files
     */
    public static BinlogBoundaries open(ConnectOptions login) throws IOException {
        return open(login, () -> false);
    }

    /**
     * Connects for a caller that may give up: what reads the binlog fails then.
     *
     * @param isAbandoned whether it has; quick
     */
    public static BinlogBoundaries open(ConnectOptions login, BooleanSupplier isAbandoned) throws IOException {
        MySqlConnection connection = MySqlConnection.open(login);
        try {
            BinlogStorage.requireFiles(connection);
        } catch (IOException | RuntimeException | Error e) {
            connection.close();
            throw e;
        }
        return new BinlogBoundaries(login, connection, isAbandoned);
    }

    /**
     * Returns the boundary at an offset, which must be between two transactions, or at the end of one, where cursors are.
     *
     * @throws IOException if it is not, with the nearest one before it, or if it cannot be read
     */
    public Cursor at(String file, long offset) throws IOException {
        fileIndex(file);
        BoundarySearch search = new BoundarySearch(Math.max(offset, DumpRequest.FIRST_POSITION));
        scan.scan(file, search);
        if (!search.isBoundary()) {
            throw new IOException("%s:%d is not between two transactions, the nearest boundary before it is %s:%d"
                    .formatted(file, offset, file, search.nearest()));
        }
        return cursor(file, search);
    }

    /**
     * Returns when a file was begun, in milliseconds since the epoch (whole seconds): before anything in it was written. Needs the right
     * to replicate, and no other.
     *
     * @param file empty for the oldest file
     * @throws IOException if the server does not send it; the message states why
     */
    public long begunMillis(String file) throws IOException {
        return scan.begunSeconds(file) * 1000;
    }

    /** Returns the oldest boundary that the server still has. */
    public Cursor oldest() throws IOException {
        return at(facts.files().get(0).name(), DumpRequest.FIRST_POSITION);
    }

    /** The end of the binlog, as it is now. */
    public Cursor newest() throws IOException {
        BinlogPosition end = facts.end().position();
        return at(end.file(), end.offset());
    }

    /**
     * The first transaction that was written at or after a time, in whole seconds of the server's clock.
     *
     * @throws IOException if the binlog does not go back so far
     */
    public Cursor since(Instant time) throws IOException {
        TimeSearch.Found found = new TimeSearch(scan, facts.files(), time.getEpochSecond()).find();
        BinlogPosition point = found.point();
        if (!found.reachesBack()) {
            throw new IOException(
                    "the binlog of %s does not go back to %s, it begins at %s: what was changed between them is missing; load the tables again, and set the cursor to oldest"
                            .formatted(facts.address(), time, point));
        }
        return at(point.file(), point.offset());
    }

    /**
     * The first transaction that is not in a set.
     *
     * @throws IOException if the server has purged some of the others, or has never had some of the set
     * @throws IllegalArgumentException if the text is no set
     */
    public Cursor after(String gtidSet) throws IOException {
        if (!facts.hasGtids()) {
            throw new IOException("%s has no GTIDs: gtid_mode=%s".formatted(facts.address(), facts.gtidMode()));
        }
        GtidSearch search = GtidSearch.of(gtidSet);
        requireExecuted(GtidSet.parse(gtidSet));
        BinlogPosition found = search.find(facts, scan);
        if (found == null) {
            throw new IOException("%s has purged transactions that are not in %s; it begins at %s"
                    .formatted(
                            facts.address(),
                            ShortenedGtidSet.of(GtidSet.parse(gtidSet)),
                            facts.files().get(0).name()));
        }
        return at(found.file(), found.offset()).withGtidSet(search.text());
    }

    /**
     * Of MariaDB, each transaction that the set names must be in the binlog, or be the last one that was replicated: otherwise the server does not send
     * what follows it, and nothing tells where that is.
     */
    private void requireExecuted(GtidSet set) throws IOException {
        GtidSet executed = facts.executed();
        if (!facts.mariaDb() || !(set instanceof MariaDbGtidSet named)) {
            if (!executed.containsAll(set)) {
                throw notExecuted(set, ShortenedGtidSet.of(executed), "");
            }
            return;
        }
        List<MariaDbGtid> newest = facts.newestOfServers();
        MariaDbGtidSet missing = named.subtract(newest).withoutEqual(facts.replicated());
        if (!missing.isEmpty()) {
            String ofDomains = newest.stream()
                    .filter(gtid -> missing.newestOf(gtid.domain()) != null)
                    .sorted(Comparator.comparingLong(MariaDbGtid::domain).thenComparingLong(MariaDbGtid::server))
                    .limit(MOST_SHOWN)
                    .map(MariaDbGtid::toString)
                    .collect(Collectors.joining(","));
            throw notExecuted(
                    missing,
                    ofDomains.isEmpty() ? ShortenedGtidSet.of(executed) : ofDomains,
                    HostCheck.deletedDomains(missing, executed));
        }
    }

    private IOException notExecuted(GtidSet missing, String executed, String hint) {
        return new IOException("%s has not executed all of %s, but %s%s"
                .formatted(
                        facts.address(),
                        ShortenedGtidSet.of(missing),
                        executed.isEmpty() ? "no transaction" : executed,
                        hint));
    }

    /**
     * Makes a check of starts at this server, over the same connection. It looks through events as large as a start does, of which it keeps the beginning.
     *
     * @param host this server
     * @param isOnlyHost whether the source has no other host
     * @param mostBytes how much of the binlog may be looked through
     * @param longest how long that may take, from now on
     */
    public StartCheck startCheck(
            String instance,
            PositionOptions rules,
            SourceHost host,
            boolean isOnlyHost,
            long mostBytes,
            Duration longest,
            Time time) {
        DumpScan anyEvent = new DumpScan(login.withMaximumPacketBytes(ConnectOptions.DEFAULT_MAXIMUM_PACKET_BYTES));
        LimitedScan limited = new LimitedScan(new AbandonableScan(anyEvent, isAbandoned), mostBytes, longest, time);
        return new StartCheck(instance, rules, host, isOnlyHost, facts, limited);
    }

    /**
     * Counts the transactions between two cursors of this server.
     *
     * @throws IOException if one of them is of another server, or in a file that the server does not have any more
     */
    public Distance between(Cursor one, Cursor other) throws IOException {
        BinlogPosition from = boundary(one);
        BinlogPosition to = boundary(other);
        boolean backwards = isBefore(to, from);
        BinlogPosition low = backwards ? to : from;
        BinlogPosition high = backwards ? from : to;
        Count count = new Count(low, high);
        List<ServerFacts.File> files = facts.files();
        for (int i = fileIndex(low.file()); i <= fileIndex(high.file()); i++) {
            count.enter(files.get(i).name());
            scan.scan(files.get(i).name(), count);
        }
        return new Distance(backwards, count.count, count.rowEvents, count.bytes);
    }

    /** Whether the server has purged the binlog in which a cursor of it is: the file comes before all that it has. */
    public boolean isPurged(Cursor cursor) throws IOException {
        BinlogPosition position = cursor.position();
        if (!position.isKnown() || !facts.isServerOf(cursor)) {
            return false;
        }
        OptionalInt order = BinlogPosition.compareFiles(
                position.file(), facts.files().get(0).name());
        return order.isPresent() && order.getAsInt() < 0;
    }

    /**
     * Whether the position of a cursor is in the binlog that the server has, or has purged: not if that was reset, since its files have the names again
     * then, or has lost its end. A cursor that does not state when its file was begun is taken to be, unless there can be no file of that name.
     */
    public boolean isOfBinlog(Cursor cursor) throws IOException {
        BinlogPosition position = cursor.position();
        if (!position.isKnown() || !facts.identity().equals(cursor.source().identity())) {
            return false;
        }
        List<ServerFacts.File> files = facts.files();
        for (ServerFacts.File file : files) {
            if (file.name().equals(position.file())) {
                return position.offset() <= file.bytes() && isSameFile(cursor);
            }
        }
        OptionalInt order = BinlogPosition.compareFiles(
                position.file(), files.get(files.size() - 1).name());
        return order.isPresent() && order.getAsInt() < 0;
    }

    private boolean isSameFile(Cursor cursor) throws IOException {
        long before = cursor.fileBegunSeconds();
        if (before == 0) {
            return true;
        }
        try {
            long now = scan.begunSeconds(cursor.position().file());
            return now == 0 || now == before;
        } catch (ServerErrorException e) {
            if (!DumpCheck.isRejection(e)) {
                throw e;
            }
            return false; // it is damaged
        }
    }

    private boolean isBefore(BinlogPosition one, BinlogPosition other) throws IOException {
        int files = Integer.compare(fileIndex(one.file()), fileIndex(other.file()));
        return files < 0 || files == 0 && one.offset() < other.offset();
    }

    /** Returns where the first transaction after a cursor begins. */
    private BinlogPosition boundary(Cursor cursor) throws IOException {
        BinlogPosition position = cursor.position();
        if (!position.isKnown()) {
            return boundary(after(cursor.gtidSet()));
        }
        if (!facts.isServerOf(cursor)) {
            throw new IOException("the cursor is of %s:%d %s, not of %s %s"
                    .formatted(
                            cursor.sourceHost(),
                            cursor.sourcePort(),
                            cursor.source().identity(),
                            login.address(),
                            facts.identity()));
        }
        fileIndex(position.file());
        BoundarySearch search = new BoundarySearch(position.offset());
        scan.scan(position.file(), search);
        if (cursor.fileBegunSeconds() != 0) {
            HostCheck.requireSameFile(position, cursor.fileBegunSeconds(), search.fileBegunSeconds());
        }
        return search.isBoundary() ? new BinlogPosition(position.file(), search.boundary()) : position;
    }

    private int fileIndex(String name) throws IOException {
        List<ServerFacts.File> files = facts.files();
        for (int i = 0; i < files.size(); i++) {
            if (files.get(i).name().equals(name)) {
                return i;
            }
        }
        throw new IOException("%s has no binlog file %s (any more): it has %s to %s"
                .formatted(
                        facts.address(),
                        name,
                        files.get(0).name(),
                        files.get(files.size() - 1).name()));
    }

    private Cursor cursor(String file, BoundarySearch found) throws IOException {
        Boundary boundary = new Boundary(
                facts.server(),
                new BinlogPosition(file, found.boundary()),
                facts.hasGtids() ? found.executed() : null,
                found.serverId(),
                found.seconds() * 1000,
                null,
                found.fileBegunSeconds());
        return boundary.cursor();
    }

    @Override
    public void close() {
        connection.close();
    }

    /** Counts the transactions that begin between two boundaries. */
    private static final class Count implements BinlogScan.Visitor {
        private final BinlogPosition low;
        private final BinlogPosition high;
        private FileTransactions transactions = new FileTransactions();
        private String file = "";
        private long count;
        private long rowEvents;
        private long bytes;

        Count(BinlogPosition low, BinlogPosition high) {
            this.low = low;
            this.high = high;
        }

        void enter(String newFile) {
            file = newFile;
            transactions = new FileTransactions();
        }

        @Override
        public boolean visit(EventHeader header, EventBody body, long start, long end) {
            if (file.equals(high.file()) && start >= high.offset()) {
                return false;
            }
            Step step = transactions.accept(header, body, start, end);
            if (step != Step.OUTSIDE && !(file.equals(low.file()) && start < low.offset())) {
                bytes += end - start;
                rowEvents += EventCode.isRows(header.code()) ? 1 : 0;
                count += step == Step.ENDS || step == Step.ALONE ? 1 : 0;
            }
            return true;
        }
    }
}
