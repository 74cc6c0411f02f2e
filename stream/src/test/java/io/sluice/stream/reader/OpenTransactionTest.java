package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.EntryKind;
import io.sluice.format.value.ColumnTypes;
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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows before a rollback to a savepoint, in the chunk and in a file, of transactions as MariaDB logs them. */
class OpenTransactionTest {
    private static final SyntheticTable ORDERS = new SyntheticTable("shop", "orders", List.of("id"));

    /** As many savepoints are remembered. */
    private static final int MANY = 1_000;

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
        SyntheticBinlog binlog = new SyntheticBinlog(
                Flavour.MARIADB, 7, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"), 1_700_000_000, true);
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
                // It may have replaced the other one, as a server ignores accents.
                Arguments.of("SAVEPOINT `a`; 1; SAVEPOINT `\u00e4`; 2; ROLLBACK TO `a`", 2, 1),
                Arguments.of("SAVEPOINT `a`; 1; SAVEPOINT `\u00e4`; 2; |; ROLLBACK TO `a`", 2, 1));
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void rowsAfterASavepointAreRemovedAlsoFromTheFile(String script, int rows, int reports) throws Exception {
        SyntheticBinlog binlog = new SyntheticBinlog(
                Flavour.MARIADB, 7, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"), 1_700_000_000, true);
        binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        Set<Integer> ends = new HashSet<>();
        for (String next : script.split("; ")) {
            if (next.equals("|")) {
                ends.add(binlog.dump(binlog.newestFile(), 4).size());
            } else if (Character.isDigit(next.charAt(0))) {
                insert(binlog, Integer.parseInt(next));
            } else {
                binlog.query("shop", next);
            }
        }
        binlog.xid();
        binlog.close();

        requireRows(binlog, new EndingChunks(binlog.dump(binlog.newestFile(), 4), ends), true, rows, reports);
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

        long delivered = 0;
        boolean more = true;
        while (more) {
            Chunk chunk = new Chunk(new ChunkBuffers(), reader.expectedChunkBytes());
            more = reader.read(events, chunk);
            delivered += chunk.entries().stream()
                    .filter(entry -> entry.kind() == EntryKind.ROWS)
                    .count();
        }
        reader.close();

        assertThat(delivered).isEqualTo(rows);
        assertThat(reader.rolledBackDeliveries()).isEqualTo(reports);
    }

    private static void insert(SyntheticBinlog binlog, int id) {
        binlog.rows(ORDERS, Change.INSERT, List.of(List.of(id)));
    }
}
