package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.ListedEvents;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.ChunkBuffers;
import io.sluice.stream.options.StreamOptions;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Event;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.binlog.SyntheticBinlog.Transaction;
import io.sluice.testkit.binlog.SyntheticTable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A file that a large transaction has made longer than 4 GiB; headers state offsets modulo 2^32. */
class LongFileTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final SyntheticTable ORDERS = new SyntheticTable("shop", "orders", List.of("id", "note"));
    private static final String FILE = "binlog.000001";
    private static final long BEGUN = 1_700_000_000;
    private static final int NEXT_OFFSET = 13;
    private static final long GIB = 1L << 30;
    private static final int TRANSACTIONS = 20;
    /** The last transaction before offsets beyond 4 GiB. */
    private static final int LARGE = 10;
    /** In which transaction the connection breaks. */
    private static final int BROKEN = 15;

    @ParameterizedTest
    @EnumSource(Flavour.class)
    void positionsAreOfTheFileAndNotOfHeaders(Flavour flavour) throws Exception {
        SyntheticBinlog binlog = binlog(flavour);
        requirePositions(binlog, binlog.transactions().get(10).start() + 50);
    }

    /** Its header states 0, as those of events do that are in no file. */
    @ParameterizedTest
    @EnumSource(Flavour.class)
    void anEventMayEndExactlyThere(Flavour flavour) throws Exception {
        SyntheticBinlog binlog = binlog(flavour);
        requirePositions(binlog, binlog.transactions().get(10).end());
    }

    /** A dump by GTIDs begins at the head of the file, and leaves out more than 4 GiB of it. */
    @ParameterizedTest
    @MethodSource("dumps")
    void aBrokenTransactionIsReadToItsEndAfterADumpByGtids(Flavour flavour, Heartbeat heartbeat) throws Exception {
        Dumps dumps = new Dumps(flavour, heartbeat);
        Transaction before = dumps.binlog.transactions().get(LARGE - 1);
        long start = before.end() + Dumps.more(LARGE + 1);
        EventReader reader = reader(new BinlogPosition(FILE, start), dumps.executed(before));
        reader.onReconnect(false, false);
        List<Entry> entries = new ArrayList<>(read(reader, dumps.afterLargeUpToTheSecondRowsOf(BROKEN)));

        reader.onReconnect(false, true);
        entries.addAll(read(reader, dumps.upToTheSecondRowsOf(BROKEN)));
        reader.onReconnect(false, true);
        entries.addAll(read(reader, dumps.head()));
        reader.onReconnect(false, true);
        entries.addAll(read(reader, dumps.whole()));

        dumps.requireAll(entries, LARGE + 1);
        assertThat(reader.executed()).hasToString(dumps.binlog.executed());
        assertThat(reader.hasExactOffsets()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("dumps")
    void aRestartAtACursorKnowsTheOffsetsAfterIt(Flavour flavour, Heartbeat heartbeat) throws Exception {
        Dumps dumps = new Dumps(flavour, heartbeat);
        EventReader reader = restarted(dumps, BEGUN);

        List<Entry> entries = new ArrayList<>(read(reader, dumps.upToTheSecondRowsOf(BROKEN)));
        reader.onReconnect(false, true);
        entries.addAll(read(reader, dumps.whole()));

        dumps.requireAll(entries, BROKEN);
        assertThat(reader.hasExactOffsets()).isTrue();
    }

    /** As after a reset of the binlog: the cursor's position means nothing in it. */
    @ParameterizedTest
    @MethodSource("dumps")
    void theOffsetOfACursorDoesNotCountInAnotherFileOfThatName(Flavour flavour, Heartbeat heartbeat) throws Exception {
        Dumps dumps = new Dumps(flavour, heartbeat);
        EventReader reader = restarted(dumps, BEGUN - 1);

        List<Entry> entries = new ArrayList<>(read(reader, dumps.upToTheSecondRowsOf(BROKEN)));
        reader.onReconnect(false, true);
        entries.addAll(read(reader, dumps.whole()));

        Transaction first = dumps.binlog.transactions().get(BROKEN - 1);
        assertThat((dumps.end(first) - ends(entries).get(0)) % (4 * GIB)).isZero();
        dumps.requireRows(entries, BROKEN);
        assertThat(reader.hasExactOffsets()).isFalse();
    }

    private static EventReader restarted(Dumps dumps, long begunSeconds) {
        Transaction before = dumps.binlog.transactions().get(BROKEN - 2);
        GtidSet executed = dumps.executed(before);
        EventReader reader = reader(new BinlogPosition(FILE, 4), executed);
        SourceServer server = SourceServer.at("db", 3306);
        reader.startAt(new Boundary(server, BinlogPosition.UNKNOWN, executed, 0, 0, null, 0), true);
        reader.expectNothingBefore(new BinlogPosition(FILE, dumps.end(before)), begunSeconds);
        reader.onReconnect(false, true);
        return reader;
    }

    /** Which heartbeats come before the first transaction that is not left out; all with 32 bits of the offset. */
    private enum Heartbeat {
        NONE,
        AT_THE_TRANSACTION,
        WHILE_OTHERS_ARE_LEFT_OUT
    }

    private static Stream<Arguments> dumps() {
        return Stream.of(
                Arguments.of(Flavour.MARIADB, Heartbeat.NONE),
                Arguments.of(Flavour.MYSQL_GTID, Heartbeat.NONE),
                Arguments.of(Flavour.MYSQL_GTID, Heartbeat.AT_THE_TRANSACTION),
                Arguments.of(Flavour.MYSQL_GTID, Heartbeat.WHILE_OTHERS_ARE_LEFT_OUT));
    }

    /** Dumps of a file in which the fifth and the tenth transaction are as large as would make the offsets after them so much larger. */
    private static final class Dumps {
        final SyntheticBinlog binlog;
        private final Heartbeat heartbeat;

        Dumps(Flavour flavour, Heartbeat heartbeat) {
            this.binlog = binlog(flavour, 4);
            this.heartbeat = heartbeat;
        }

        private static long more(long transaction) {
            return transaction <= 5 ? 0 : transaction <= LARGE ? 3 * GIB : 5 * GIB;
        }

        GtidSet executed(Transaction last) {
            return binlog.flavour().isMariaDb()
                    ? MariaDbGtidSet.parse(last.gtidsAfter())
                    : MySqlGtidSet.parse(last.gtidsAfter());
        }

        long end(Transaction transaction) {
            return transaction.end() + more(transaction.number());
        }

        /** As a dump comes that began before, where the offsets of headers are enough. */
        List<byte[]> afterLargeUpToTheSecondRowsOf(long transaction) {
            Predicate<Event> isBefore = upToTheSecondRows(transaction);
            return binlog.events().stream()
                    .filter(event -> event.transaction() > LARGE || event.code() == SyntheticBinlog.FORMAT_DESCRIPTION)
                    .filter(isBefore)
                    .map(event -> moved(event.bytes(), more(event.transaction())))
                    .toList();
        }

        /** A dump by GTIDs, from the broken transaction on. */
        List<byte[]> whole() {
            return dump(BROKEN - 1, event -> true);
        }

        /** One that breaks within that transaction, too. */
        List<byte[]> upToTheSecondRowsOf(long transaction) {
            return dump(BROKEN - 1, upToTheSecondRows(transaction));
        }

        /** One that breaks before that. */
        List<byte[]> head() {
            return dump(BROKEN - 1, event -> event.transaction() == 0);
        }

        private static Predicate<Event> upToTheSecondRows(long transaction) {
            int[] rows = {0};
            return event -> {
                boolean isBefore =
                        event.transaction() < transaction || event.transaction() == transaction && rows[0] < 2;
                rows[0] += event.transaction() == transaction && EventCode.isRows(event.code()) ? 1 : 0;
                return isBefore;
            };
        }

        private List<byte[]> dump(long executed, Predicate<Event> comes) {
            List<byte[]> dump = new ArrayList<>();
            dump.add(binlog.dumpAfter(0).get(0)); // the artificial event that names the file
            boolean isSkipping = executed > 0;
            for (Event event : binlog.events()) {
                if (isSkipping && event.transaction() > executed) {
                    isSkipping = false;
                    Transaction next = binlog.transactions().get((int) executed);
                    if (heartbeat == Heartbeat.WHILE_OTHERS_ARE_LEFT_OUT) {
                        dump.add(binlog.heartbeat(binlog.transactions().get(6).start() + more(7)));
                    }
                    if (heartbeat != Heartbeat.NONE) {
                        dump.add(binlog.heartbeat(next.start() + more(next.number())));
                    }
                }
                if ((event.transaction() == 0 || event.transaction() > executed) && comes.test(event)) {
                    dump.add(moved(event.bytes(), more(event.transaction())));
                }
            }
            return dump;
        }

        /** Requires all rows and ends from a transaction on, each once and at its position. */
        void requireAll(List<Entry> entries, int first) {
            requireRows(entries, first);
            assertThat(ends(entries))
                    .containsExactlyElementsOf(binlog.transactions().subList(first - 1, TRANSACTIONS).stream()
                            .map(this::end)
                            .toList());
        }

        void requireRows(List<Entry> entries, int first) {
            assertThat(entries.stream().filter(entry -> entry.kind() == EntryKind.ROWS))
                    .hasSize(4 * (TRANSACTIONS + 1 - first));
        }
    }

    private static List<Long> ends(List<Entry> entries) {
        return entries.stream()
                .filter(Entry::isBoundary)
                .map(entry -> entry.cursor().position().offset())
                .toList();
    }

    private static SyntheticBinlog binlog(Flavour flavour) {
        return binlog(flavour, 1);
    }

    private static SyntheticBinlog binlog(Flavour flavour, int rowsEvents) {
        SyntheticBinlog binlog = new SyntheticBinlog(flavour, 7, SERVER, BEGUN, false);
        for (int i = 0; i < TRANSACTIONS; i++) {
            binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
            if (!flavour.isMariaDb()) {
                binlog.query("shop", "BEGIN");
            }
            for (int j = 0; j < rowsEvents; j++) {
                binlog.rows(ORDERS, SyntheticBinlog.Change.INSERT, List.of(List.of(i, "note " + i)));
            }
            binlog.xid();
            binlog.close();
        }
        return binlog;
    }

    /**
     * Reads it as the end of a file.
     *
     * @param at the offset that becomes 4 GiB
     */
    private static void requirePositions(SyntheticBinlog binlog, long at) throws Exception {
        List<Transaction> transactions = binlog.transactions();
        long start = transactions.get(0).start();
        long more = (1L << 32) - at;
        EventReader reader = reader(binlog.flavour(), new BinlogPosition(FILE, start + more));
        List<byte[]> dump = new ArrayList<>();
        for (Event event : binlog.events()) {
            if (event.start() >= start) {
                dump.add(moved(event.bytes(), more));
            }
        }

        List<Entry> entries = read(reader, dump);

        if (binlog.flavour().hasGtids()) {
            assertThat(reader.executed()).hasToString(binlog.executed());
        }
        assertThat(reader.resumePosition().offset()).isEqualTo(binlog.end() + more);
        assertThat(ends(entries))
                .containsExactlyElementsOf(transactions.stream()
                        .map(transaction -> transaction.end() + more)
                        .toList());
    }

    private static List<Entry> read(EventReader reader, List<byte[]> dump) throws Exception {
        List<Entry> entries = new ArrayList<>();
        EventSource source = new ListedEvents(dump);
        boolean isRead = true;
        while (isRead) {
            Chunk chunk = new Chunk(new ChunkBuffers(), reader.expectedChunkBytes());
            isRead = reader.read(source, chunk);
            entries.addAll(chunk.entries());
        }
        return entries;
    }

    private static byte[] moved(byte[] event, long more) {
        byte[] bytes = event.clone();
        ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        long next = EventHeader.read(event, 0, event.length).nextOffset();
        header.putInt(NEXT_OFFSET, (int) (next + more));
        return bytes;
    }

    private static EventReader reader(Flavour flavour, BinlogPosition start) {
        GtidSet none = flavour.isMariaDb() ? MariaDbGtidSet.EMPTY : MySqlGtidSet.EMPTY;
        return reader(start, flavour.hasGtids() ? none : null);
    }

    private static EventReader reader(BinlogPosition start, @Nullable GtidSet executed) {
        EventReader reader = new EventReader(
                SourceServer.at("db", 3306),
                start,
                executed,
                StreamOptions.DEFAULT,
                new SchemaTracker(name -> ORDERS.createStatement()),
                new TableFilter("", ""),
                ColumnTypes.defaults(ZoneOffset.UTC));
        reader.onReconnect(false, false);
        return reader;
    }
}
