package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.EntryKind;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.ListedEvents;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.ChunkBuffers;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.TransactionSpill;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Change;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.binlog.SyntheticTable;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows before a rollback to a savepoint, in the chunk and in a file, of transactions as MariaDB logs them. */
class OpenTransactionTest {
    private static final SyntheticTable ORDERS = new SyntheticTable("shop", "orders", List.of("id"));

    /** As many savepoints are remembered. */
    private static final int MANY = 1_000;

    /** In a script: the chunk ends, and has more than is held. */
    private static final String LARGE = "||";

    @TempDir
    private Path directory;

    /** What is done between two rows, the savepoint that is gone back to, and the rows that are left and the reports. */
    static Stream<Arguments> rollbacks() {
        return Stream.of(false, true)
                .flatMap(isSpilled -> Stream.of(
                        Arguments.of(isSpilled, 1, "`s0`", "`s0`", 1, 0),
                        Arguments.of(isSpilled, 1, "`s0`", "`S0`", 1, 0),
                        Arguments.of(isSpilled, MANY, "`s0`", "`s0`", 1, 0),
                        // Which rows were rolled back is not known: all are delivered, and that is reported.
                        Arguments.of(isSpilled, MANY + 1, "`s0`", "`s0`", 2, 1),
                        Arguments.of(isSpilled, 1, "`s0`", "`other`", 2, 1),
                        Arguments.of(isSpilled, 1, "`s\u00e4`", "`sa`", 2, 1),
                        Arguments.of(isSpilled, 1, "`s0 `", "`s0`", 2, 1)));
    }

    @ParameterizedTest
    @MethodSource("rollbacks")
    void rowsAfterASavepointThatIsKnownAreRemoved(
            boolean isSpilled, int savepoints, String first, String rolledBackTo, int rows, int reports)
            throws Exception {
        SyntheticBinlog binlog = binlog();
        binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        insert(binlog, 1);
        binlog.query("shop", "SAVEPOINT " + first);
        insert(binlog, 2);
        for (int i = 1; i < savepoints; i++) {
            binlog.query("shop", "SAVEPOINT `s" + i + "`");
        }
        binlog.query("shop", "ROLLBACK TO " + rolledBackTo);
        binlog.xid();
        binlog.close();

        requireRows(binlog, new ListedEvents(binlog.dump(binlog.newestFile(), 4)), isSpilled, rows, reports);
    }

    /** What a transaction does: inserts by their ids, statements, and ends of chunks; the rows that are left, and the reports. */
    static Stream<Arguments> scripts() {
        return Stream.of(
                // A savepoint that is set again is the newest one.
                Arguments.of("SAVEPOINT `a`; 1; SAVEPOINT `b`; 2; SAVEPOINT `a`; 3; |; ROLLBACK TO `b`", 1, 0),
                Arguments.of("SAVEPOINT `a`; 1; SAVEPOINT `b`; 2; SAVEPOINT `a`; 3; |; ROLLBACK TO `a`", 2, 0),
                Arguments.of(
                        "1; SAVEPOINT `a`; 2; |; 3; SAVEPOINT `b`; 4; |; ROLLBACK TO `b`; ROLLBACK TO `a`; 5", 2, 0),
                Arguments.of("1; SAVEPOINT `a`; 2; |; ROLLBACK TO `a`; 3; |; ROLLBACK TO `a`; 4", 2, 0),
                Arguments.of("1; SAVEPOINT `a`; 2; SAVEPOINT `b`; 3; |; ROLLBACK TO `a`; 4", 2, 0),
                // It may have replaced the other one, as a server ignores accents.
                Arguments.of("SAVEPOINT `a`; 1; SAVEPOINT `\u00e4`; 2; ROLLBACK TO `a`", 2, 1),
                Arguments.of("SAVEPOINT `a`; 1; SAVEPOINT `\u00e4`; 2; |; ROLLBACK TO `a`", 2, 1));
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void rowsAfterASavepointAreRemovedAlsoFromTheFile(String script, int rows, int reports) throws Exception {
        SyntheticBinlog binlog = binlog();
        binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        Set<Integer> ends = write(binlog, script);
        binlog.xid();
        binlog.close();

        requireRows(binlog, new EndingChunks(binlog.dump(binlog.newestFile(), 4), ends), true, rows, reports);
    }

    /**
     * What one transaction does and another after it, in chunks that are too large to be held; how many rows of the other one are delivered, and the reports of
     * rows that were delivered though the source rolled them back.
     */
    static Stream<Arguments> handedOnScripts() {
        return Stream.of(
                // Rows of before the savepoint stay.
                Arguments.of("1; |", "2; |; SAVEPOINT `a`; 3; ROLLBACK TO `a`", 1, 0),
                Arguments.of(
                        "SAVEPOINT `a`; 1; |; SAVEPOINT `b`; 2; |", "3; |; SAVEPOINT `a`; 4; ROLLBACK TO `a`", 1, 0),
                Arguments.of("1; |", "SAVEPOINT `a`; 2; |; ROLLBACK TO `a`", 1, 1),
                Arguments.of("1; |", "2; SAVEPOINT `a`; 3; |; ROLLBACK TO `a`", 2, 1),
                Arguments.of("1; |", "2; SAVEPOINT `a`; 3; |; ROLLBACK TO `a`; ROLLBACK TO `a`", 2, 1),
                Arguments.of("1; |", "SAVEPOINT `a`; 2; |; ROLLBACK TO `a`; SAVEPOINT `b`; 3; ROLLBACK TO `b`", 1, 1),
                Arguments.of(
                        "1; |", "SAVEPOINT `a`; 2; |; ROLLBACK TO `a`; SAVEPOINT `b`; 3; |; 4; ROLLBACK TO `b`", 2, 2),
                // What was rolled back already is not rolled back again.
                Arguments.of("1; |", "SAVEPOINT `a`; 2; |; ROLLBACK TO `a`; ROLLBACK", 1, 1),
                // Of the one before, nothing was rolled back.
                Arguments.of("1; |", "2; ROLLBACK", 0, 0),
                Arguments.of("1; |", "2; |; ROLLBACK", 1, 1),
                Arguments.of("1; |", "SAVEPOINT `a`; 2; ROLLBACK TO `b`", 1, 1),
                Arguments.of("1; |", "SAVEPOINT `a`; ROLLBACK TO `b`", 0, 0),
                // The mode of the session may be ANSI_QUOTES.
                Arguments.of("1; |", "SAVEPOINT \"a\"; 2; ROLLBACK TO `a`", 0, 0),
                Arguments.of("1; |", "SAVEPOINT \"a\"\"b\"; 2; ROLLBACK TO `a\"b`", 0, 0));
    }

    @ParameterizedTest
    @MethodSource("handedOnScripts")
    void rowsThatWereHandedOnAreReportedIfTheyAreRolledBack(String before, String script, int rows, int reports)
            throws Exception {
        SyntheticBinlog binlog = binlog();
        binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        Set<Integer> ends = write(binlog, before.replace("|", LARGE));
        binlog.xid();
        binlog.close();
        long rowsBefore = before.chars().filter(Character::isDigit).count();
        binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        ends.addAll(write(binlog, script.replace("|", LARGE)));
        if (!script.endsWith("; ROLLBACK")) {
            binlog.xid();
        }
        binlog.close();

        List<byte[]> events = binlog.dump(binlog.newestFile(), 4);
        requireRows(binlog, new EndingChunks(events, ends), false, (int) rowsBefore + rows, reports);
    }

    /** What a transaction does before the connection breaks, and after that, where it comes again from its begin; the rows that are left. */
    static Stream<Arguments> brokenScripts() {
        return Stream.of(
                Arguments.of("1; SAVEPOINT `a`; 2; |", "ROLLBACK TO `a`; 3", 2),
                Arguments.of("1; SAVEPOINT `a`; 2; |; 3; |", "4; ROLLBACK TO `a`; 5", 2),
                Arguments.of("1; SAVEPOINT `a`; 2; |; ROLLBACK TO `a`; 3; |", "ROLLBACK TO `a`; 4", 2),
                Arguments.of("1; SAVEPOINT `a`; 2; |; ROLLBACK TO `a`; 3; |", "4", 3),
                Arguments.of("1; |", "SAVEPOINT `a`; 2; ROLLBACK TO `a`; 3", 2),
                Arguments.of("1; |; 2; |", "ROLLBACK", 0));
    }

    @ParameterizedTest
    @MethodSource("brokenScripts")
    void whatWasReadBeforeTheConnectionBrokeCountsOnce(String before, String after, int rows) throws Exception {
        SyntheticBinlog binlog = binlog();
        binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        Set<Integer> ends = write(binlog, before);
        List<byte[]> first = binlog.dump(binlog.newestFile(), 4);
        write(binlog, after);
        if (!after.equals("ROLLBACK")) {
            binlog.xid();
        }
        binlog.close();

        EventReader reader = reader(binlog, true);
        long delivered = rows(reader, new EndingChunks(first, ends));
        reader.onReconnect(true, false);
        delivered += rows(
                reader,
                new ListedEvents(
                        binlog.dump(binlog.newestFile(), reader.resumePosition().offset())));
        reader.close();

        assertThat(delivered).isEqualTo(rows);
        assertThat(reader.rolledBackDeliveries()).isZero();
    }

    /** The source has lost the one that was open. */
    @ParameterizedTest
    @ValueSource(strings = {"BEGIN", "ROLLBACK"})
    void aTransactionOfWhichTheBeginDoesNotComeAgainIsDropped(String next) throws Exception {
        SyntheticBinlog lost = binlog();
        SyntheticBinlog kept = binlog();
        for (SyntheticBinlog binlog : List.of(lost, kept)) {
            binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
            insert(binlog, 1);
            binlog.xid();
            binlog.close();
        }
        lost.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        Set<Integer> ends = write(lost, "2; 3; |");
        kept.append(SyntheticBinlog.MARIADB_CHECKPOINT, new byte[] {4, 0, 0, 0, 'f', 'i', 'l', 'e'});
        if (next.equals("ROLLBACK")) {
            kept.query("shop", "XA ROLLBACK X'61',X'',1");
        }
        kept.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        insert(kept, 4);
        kept.xid();
        kept.close();

        EventReader reader = reader(lost, true);
        List<EntryKind> delivered = kinds(reader, new EndingChunks(lost.dump(lost.newestFile(), 4), ends));
        reader.onReconnect(true, false);
        delivered.addAll(kinds(
                reader,
                new ListedEvents(
                        kept.dump(kept.newestFile(), reader.resumePosition().offset()))));
        reader.close();

        assertThat(count(delivered, EntryKind.ROWS)).isEqualTo(2);
        assertThat(count(delivered, EntryKind.END)).isEqualTo(2);
    }

    /** What it has done is no row that could be taken back. */
    @Test
    void aStatementStaysWhenTheRowsBesideItAreRolledBack() throws Exception {
        SyntheticBinlog binlog = binlog();
        binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        Set<Integer> ends = write(binlog, "SAVEPOINT `a`; 1; CREATE TABLE other (id int); 2; |; ROLLBACK TO `a`");
        binlog.xid();
        binlog.close();

        EventReader reader = reader(binlog, true);
        List<EntryKind> kinds = kinds(reader, new EndingChunks(binlog.dump(binlog.newestFile(), 4), ends));
        reader.close();

        assertThat(count(kinds, EntryKind.ROWS)).isZero();
        assertThat(count(kinds, EntryKind.DDL)).isEqualTo(1);
    }

    /** As when the server crashed. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsBeforeATransactionThatIsCutOffStays(boolean isSpilled) throws Exception {
        SyntheticBinlog binlog = binlog();
        String first = binlog.newestFile();
        binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        insert(binlog, 1);
        binlog.xid();
        binlog.close();
        binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        insert(binlog, 2);
        EventReader reader = reader(binlog, isSpilled);
        binlog.crash();

        List<byte[]> events = new ArrayList<>(binlog.dump(first, 4));
        List<EntryKind> kinds = kinds(reader, new ListedEvents(events));
        reader.close();

        assertThat(count(kinds, EntryKind.END)).isEqualTo(1);
        assertThat(count(kinds, EntryKind.ROWS)).isEqualTo(isSpilled ? 1 : 2);
    }

    private static SyntheticBinlog binlog() {
        return new SyntheticBinlog(
                Flavour.MARIADB, 7, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"), 1_700_000_000, true);
    }

    /** Writes what a script does; returns after how many events chunks end. */
    private static Set<Integer> write(SyntheticBinlog binlog, String script) {
        Set<Integer> ends = new HashSet<>();
        for (String next : script.split("; ")) {
            if (next.equals("|") || next.equals(LARGE)) {
                for (int i = 0; i < TransactionSpill.DEFAULT_MEMORY_BYTES && next.equals(LARGE); i += 1 << 17) {
                    binlog.append(EventCode.MARIADB_ANNOTATE_ROWS, new byte[1 << 17]);
                }
                ends.add(binlog.dump(binlog.newestFile(), 4).size());
            } else if (Character.isDigit(next.charAt(0))) {
                insert(binlog, Integer.parseInt(next));
            } else {
                binlog.query("shop", next);
            }
        }
        return ends;
    }

    /** Events after some of which none is waiting, so that the chunk ends. */
    private static final class EndingChunks implements EventSource {
        private final ListedEvents events;
        private final Set<Integer> ends;
        private int read;

        EndingChunks(List<byte[]> events, Set<Integer> ends) {
            this.events = new ListedEvents(events);
            this.ends = ends;
        }

        @Override
        public int next(ByteWriter out) {
            read++;
            return events.next(out);
        }

        @Override
        public boolean hasBuffered() {
            return !ends.contains(read);
        }

        @Override
        public void close() {}
    }

    private void requireRows(SyntheticBinlog binlog, EventSource events, boolean isSpilled, int rows, int reports)
            throws Exception {
        EventReader reader = reader(binlog, isSpilled);

        long delivered = rows(reader, events);
        reader.close();

        assertThat(delivered).isEqualTo(rows);
        assertThat(reader.rolledBackDeliveries()).isEqualTo(reports);
    }

    private EventReader reader(SyntheticBinlog binlog, boolean isSpilled) throws Exception {
        StreamOptions options = isSpilled
                ? StreamOptions.DEFAULT.with(new TransactionSpill(directory, 0, 1 << 24))
                : StreamOptions.DEFAULT;
        EventReader reader = new EventReader(
                SourceServer.at("db", 3306),
                new BinlogPosition(binlog.newestFile(), 4),
                null,
                options,
                new SchemaTracker(table -> ORDERS.createStatement()),
                new TableFilter("", ""),
                ColumnTypes.defaults(ZoneOffset.UTC),
                ReaderOptions.DEFAULT);
        reader.onReconnect(true, false);
        return reader;
    }

    /** Reads to the end of the events; returns how many entries of rows came. */
    private static long rows(EventReader reader, EventSource events) throws Exception {
        return count(kinds(reader, events), EntryKind.ROWS);
    }

    private static long count(List<EntryKind> kinds, EntryKind kind) {
        return kinds.stream().filter(kind::equals).count();
    }

    /** Reads to the end of the events; returns the kinds of what came. */
    private static List<EntryKind> kinds(EventReader reader, EventSource events) throws Exception {
        List<EntryKind> kinds = new ArrayList<>();
        boolean more = true;
        while (more) {
            Chunk chunk = new Chunk(new ChunkBuffers(), reader.expectedChunkBytes());
            more = reader.read(events, chunk);
            chunk.entries().forEach(entry -> kinds.add(entry.kind()));
        }
        return kinds;
    }

    private static void insert(SyntheticBinlog binlog, int id) {
        binlog.rows(ORDERS, Change.INSERT, List.of(List.of(id)));
    }
}
