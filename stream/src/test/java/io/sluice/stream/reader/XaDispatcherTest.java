package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.entry.StatementEntry;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.ListedEvents;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.ChunkBuffers;
import io.sluice.stream.mapping.HiddenColumns;
import io.sluice.stream.options.Omitted;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.XaHolding;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.binlog.SyntheticTable;
import io.sluice.testkit.time.HandTime;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XaDispatcherTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final int LATIN1_SWEDISH = 8;
    private static final int UTF8MB4_0900 = 255;
    private static final long START_SECONDS = 1_700_000_000;
    private static final SyntheticTable ORDERS = new SyntheticTable("shop", "orders", List.of("id", "note"));
    private static final SyntheticTable UNKNOWN = new SyntheticTable("shop", "unknown", List.of("id", "note"));
    private static final SyntheticTable EXCLUDED = new SyntheticTable("shop", "excluded", List.of("id", "note"));

    @TempDir
    private Path directory;

    private final SchemaTracker tracker = new SchemaTracker(name ->
            name.table().equals("unknown") ? null : ORDERS.createStatement().replace("orders", name.table()));
    private final TableFilter filter = new TableFilter("", "");
    private final List<Entry> entries = new ArrayList<>();
    private SyntheticBinlog binlog = binlog(Flavour.MYSQL_ANONYMOUS);

    /** Until the first event of the new position comes, nothing holds the rows back: a further move must begin before them, too. */
    @Test
    void atAnotherPositionTheNewestTimeThatIsKnownIsThatOfTheOldestUndecidedTransaction() throws Exception {
        rows(1);
        binlog.advance(100);
        prepare("a", 2);
        binlog.advance(1_000);
        rows(3);
        EventReader reader = reader();
        readAll(reader, binlog.dump(binlog.newestFile(), 4));
        assertThat(reader.undecidedTransactions()).isEqualTo(1);
        assertThat(reader.readUpToMillis()).isEqualTo((START_SECONDS + 1_100) * 1000);
        long known = reader.undecidedStart().timestampMillis();
        assertThat(known).isLessThanOrEqualTo((START_SECONDS + 100) * 1000);

        for (int hosts = 0; hosts < 3; hosts++) {
            reader.startAt(
                    new Boundary(
                            SourceServer.at("host" + hosts, 3306),
                            new BinlogPosition("other.000001", 4),
                            null,
                            7,
                            known,
                            null,
                            0),
                    false);

            assertThat(reader.undecidedStart()).isNull();
            assertThat(reader.undecidedTransactions()).isZero();
            assertThat(reader.readUpToMillis()).isEqualTo(known);
            assertThat(reader.lastReadMillis()).isEqualTo(known);
            assertThat(reader.readUpToServerId()).isEqualTo(7);
        }
    }

    @Test
    void nothingIsLostWhenTheFilterChangesAndTheConnectionBreaksDuringADelivery() throws Exception {
        int events = 4_000;
        binlog.open(0);
        statement("XA START " + xid("a"));
        for (int i = 0; i < events; i++) {
            insert(i % 2 == 0 ? ORDERS : EXCLUDED, i);
        }
        statement("XA END " + xid("a"));
        binlog.append(SyntheticBinlog.XA_PREPARE, prepareBody("a", true));
        binlog.close();
        EventReader reader = reader();
        EventSource dump = new ListedEvents(binlog.dump(binlog.newestFile(), 4));
        while (entries.isEmpty()) {
            assertThat(read(reader, dump)).isTrue();
        }
        assertThat(ordersRows()).isBetween(1L, events / 2L - 1);

        filter.include("shop\\.orders");
        reader.onReconnect(true, false);
        BinlogPosition resumed = reader.resumePosition();
        readAll(reader, binlog.dump(resumed.file(), resumed.offset()));

        assertThat(ordersRows()).isEqualTo(events / 2L);
    }

    /** As MariaDB leaves it when it crashes within a transaction and appends to the same file. */
    @Test
    void rowsOfATransactionThatNeverEndedAreNotDelivered() throws Exception {
        binlog = binlog(Flavour.MARIADB);
        prepare("a", 1);
        rows(2);
        List<byte[]> dump = new ArrayList<>(binlog.dump(binlog.newestFile(), 4));
        dump.removeIf(event -> event[4] == SyntheticBinlog.XA_PREPARE || isStatement(event, "XA END"));

        EventReader reader = reader();
        readAll(reader, dump);

        assertThat(ordersRows()).isEqualTo(1);
        assertThat(reader.undecidedTransactions()).isZero();
    }

    @Test
    void aRowsEventWithoutAMatchingSchemaCountsOnceThoughItComesTwice() throws Exception {
        binlog.open(0);
        statement("XA START " + xid("a"));
        insert(UNKNOWN, 1);
        insert(ORDERS, 2);
        statement("XA END " + xid("a"));
        binlog.append(SyntheticBinlog.XA_PREPARE, prepareBody("a", true));
        binlog.close();
        List<byte[]> dump = binlog.dump(binlog.newestFile(), 4);
        EventReader reader = reader();
        readAll(reader, dump.subList(0, dump.size() - 2));
        reader.onReconnect(true, false);
        BinlogPosition resumed = reader.resumePosition();
        readAll(reader, binlog.dump(resumed.file(), resumed.offset()));

        assertThat(tracker.counts().eventsLeftOut()).isEqualTo(1);
        assertThat(ordersRows()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theTextOfAStatementIsDecodedByTheCharacterSetOfItsOwnTransaction(boolean holdsBack) throws Exception {
        String sql = "INSERT INTO orders VALUES (1, '\u00fc')";
        binlog.open(0);
        binlog.query("shop", "BEGIN", LATIN1_SWEDISH);
        binlog.rowsQuery(sql.getBytes(StandardCharsets.ISO_8859_1));
        insert(ORDERS, 1);
        binlog.xid();
        binlog.close();
        binlog.open(0);
        binlog.query("shop", "XA START " + xid("a"), UTF8MB4_0900);
        binlog.rowsQuery(sql.getBytes(StandardCharsets.UTF_8));
        insert(ORDERS, 2);
        binlog.query("shop", "XA END " + xid("a"), UTF8MB4_0900);
        binlog.append(SyntheticBinlog.XA_PREPARE, prepareBody("a", false));
        binlog.close();
        binlog.open(0);
        binlog.query("shop", "XA COMMIT " + xid("a"), LATIN1_SWEDISH);
        binlog.close();

        EventReader reader = reader(holdsBack);
        readAll(reader, binlog.dump(binlog.newestFile(), 4));

        assertThat(entries)
                .filteredOn(StatementEntry.class::isInstance)
                .map(entry -> ((StatementEntry) entry).sql())
                .filteredOn(text -> text.startsWith("INSERT"))
                .containsExactly(sql, sql);
    }

    private static SyntheticBinlog binlog(Flavour flavour) {
        return new SyntheticBinlog(flavour, 7, SERVER, START_SECONDS, true);
    }

    private EventReader reader() {
        return reader(true);
    }

    private EventReader reader(boolean holdsBack) {
        StreamOptions options = StreamOptions.DEFAULT
                .without(EnumSet.of(Omitted.OTHER_STATEMENTS, Omitted.MISMATCHED_ROWS))
                .with(holdsBack ? new XaHolding(directory, 1 << 20) : null);
        EventReader reader = new EventReader(
                SourceServer.at("db", 3306),
                new BinlogPosition(binlog.newestFile(), 4),
                null,
                options,
                tracker,
                filter,
                ColumnTypes.defaults(ZoneOffset.UTC),
                HiddenColumns.NONE,
                EventReader.DEFAULT_MAPPING_BYTES,
                new HandTime());
        reader.onReconnect(true, false);
        return reader;
    }

    private void readAll(EventReader reader, List<byte[]> events) throws Exception {
        EventSource dump = new ListedEvents(events);
        while (read(reader, dump)) {}
    }

    private boolean read(EventReader reader, EventSource dump) throws Exception {
        Chunk chunk = new Chunk(new ChunkBuffers(), reader.expectedChunkBytes());
        boolean more = reader.read(dump, chunk);
        entries.addAll(chunk.entries());
        return more;
    }

    private long ordersRows() {
        return entries.stream()
                .filter(entry -> entry.kind() == EntryKind.ROWS && "orders".equals(entry.tableName()))
                .count();
    }

    private void rows(int id) {
        binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        if (!binlog.flavour().isMariaDb()) {
            statement("BEGIN");
        }
        insert(ORDERS, id);
        binlog.xid();
        binlog.close();
    }

    private void prepare(String xid, int id) {
        binlog.open(0x4C);
        if (!binlog.flavour().isMariaDb()) {
            statement("XA START " + xid(xid));
        }
        insert(ORDERS, id);
        statement("XA END " + xid(xid));
        binlog.append(SyntheticBinlog.XA_PREPARE, prepareBody(xid, false));
        binlog.close();
    }

    private void insert(SyntheticTable table, int id) {
        binlog.rows(table, SyntheticBinlog.Change.INSERT, List.of(List.of(id, "note " + id)));
    }

    private void statement(String sql) {
        binlog.query("shop", sql);
    }

    private static String xid(String text) {
        return "X'%02x',X'',1".formatted((int) text.charAt(0));
    }

    private static byte[] prepareBody(String xid, boolean onePhase) {
        return ByteBuffer.allocate(14)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) (onePhase ? 1 : 0))
                .putInt(1)
                .putInt(1)
                .putInt(0)
                .put((byte) xid.charAt(0))
                .array();
    }

    private static boolean isStatement(byte[] event, String sql) {
        return event[4] == SyntheticBinlog.QUERY && new String(event, StandardCharsets.ISO_8859_1).contains(sql);
    }
}
