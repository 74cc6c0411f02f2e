package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.entry.StatementEntry;
import io.sluice.format.entry.UnreadRowsEntry;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.ListedEvents;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.ChunkBuffers;
import io.sluice.stream.mapping.HiddenColumns;
import io.sluice.stream.options.LargeEventPolicy;
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
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class XaDispatcherTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final int LATIN1_SWEDISH = 8;
    private static final int UTF8MB4_0900 = 255;
    private static final long START_SECONDS = 1_700_000_000;
    private static final SyntheticTable ORDERS = new SyntheticTable("shop", "orders", List.of("id", "note"));
    private static final SyntheticTable UNKNOWN = new SyntheticTable("shop", "unknown", List.of("id", "note"));
    private static final SyntheticTable EXCLUDED = new SyntheticTable("shop", "excluded", List.of("id", "note"));

    private static final Pattern ID = Pattern.compile("\"data\":\\[\\{\"id\":\"(\\d+)\"");
    private static final StreamOptions OPTIONS =
            StreamOptions.DEFAULT.without(EnumSet.of(Omitted.OTHER_STATEMENTS, Omitted.MISMATCHED_ROWS));

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
        assertThat(reader.readUpTo().millis()).isEqualTo((START_SECONDS + 1_100) * 1000);
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
            assertThat(reader.readUpTo().millis()).isEqualTo(known);
            assertThat(reader.lastRead().millis()).isEqualTo(known);
            assertThat(reader.readUpTo().serverId()).isEqualTo(7);
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

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_GTID", "MYSQL_ANONYMOUS"})
    void eachRowComesOnceWhenTheConnectionBreaksWhileAPreparedTransactionIsDelivered(Flavour flavour) throws Exception {
        binlog = binlog(flavour);
        rows(1);
        int events = 4_000;
        beginXa("a");
        for (int i = 0; i < events; i++) {
            insert(ORDERS, i);
        }
        endXa("a");
        rows(2);
        decide("XA COMMIT", "a");
        rows(3);
        EventReader reader = reader();
        EventSource dump = new ListedEvents(binlog.dump(binlog.newestFile(), 4));
        while (ordersRows() < 10) {
            assertThat(read(reader, dump)).isTrue();
        }
        assertThat(ordersRows()).isLessThan(events);
        assertThat(reader.undecidedTransactions()).isEqualTo(1);

        reader.onReconnect(true, false);
        BinlogPosition resumed = reader.resumePosition();
        readAll(reader, binlog.dump(resumed.file(), resumed.offset()));

        assertThat(ordersRows()).isEqualTo(events + 3);
        assertThat(reader.undecidedTransactions()).isZero();
        assertThat(reader.undecidedStart()).isNull();
    }

    /** The first bytes of an event that is too large are held back, in memory or in a file, and make its entry when it is committed. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1 << 20})
    void rowsThatAreTooLargeAreLeftUnreadWhereTheirTransactionIsCommitted(int memoryBytes) throws Exception {
        beginXa("a");
        insert(ORDERS, 1);
        binlog.rows(
                ORDERS, SyntheticBinlog.Change.INSERT, Collections.nCopies(20_000, List.of(2, "twenty characters...")));
        insert(ORDERS, 3);
        endXa("a");
        rows(4);
        decide("XA COMMIT", "a");
        EventReader reader = reader(options(memoryBytes).with(new LargeEventPolicy(300_000, true)));

        EventSource dump = new CutEvents(binlog.dump(binlog.newestFile(), 4));
        while (read(reader, dump)) {}

        assertThat(entries.stream().filter(entry -> entry.kind() == EntryKind.ROWS))
                .extracting(Object::getClass)
                .containsExactly(RowsEntry.class, RowsEntry.class, UnreadRowsEntry.class, RowsEntry.class);
        assertThat(entries.stream().filter(UnreadRowsEntry.class::isInstance))
                .singleElement()
                .satisfies(
                        entry -> assertThat(((UnreadRowsEntry) entry).bytes()).isGreaterThan(500_000));
        assertThat(reader.undecidedTransactions()).isZero();
    }

    /** As a server leaves it that crashes: it begins another file, with the same GTID. */
    @ParameterizedTest
    @EnumSource
    void rowsOfATransactionThatTheEndOfItsFileCutsOffAreNotDelivered(Flavour flavour) throws Exception {
        binlog = binlog(flavour);
        String first = binlog.newestFile();
        rows(1);
        beginXa("a");
        insert(ORDERS, 2);
        binlog.crash();
        rows(3);
        prepare("a", 4);
        decide("XA COMMIT", "a");
        EventReader reader = reader();

        readAll(reader, binlog.dump(first, 4));

        assertThat(ids()).containsExactly(1L, 3L, 4L);
        assertThat(reader.undecidedTransactions()).isZero();
    }

    /** MySQL 5.7 and MariaDB log it, if it has used temporary tables. */
    @ParameterizedTest
    @EnumSource
    void rowsOfATransactionThatIsRolledBackBeforeItIsPreparedAreNotDelivered(Flavour flavour) throws Exception {
        binlog = binlog(flavour);
        for (String end : List.of("XA ROLLBACK " + xid("a"), "ROLLBACK")) {
            beginXa("a");
            insert(ORDERS, 1);
            statement("XA END " + xid("a"));
            statement(end);
            binlog.close();
        }
        rows(2);
        EventReader reader = reader();

        readAll(reader, binlog.dump(binlog.newestFile(), 4));

        assertThat(ids()).containsExactly(2L);
        assertThat(reader.undecidedTransactions()).isZero();
    }

    /** Another end than that of an XA transaction delivers its rows with it. */
    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "XID"})
    void rowsOfATransactionThatIsCommittedAtOnceAreDelivered(String end) throws Exception {
        beginXa("a");
        insert(ORDERS, 1);
        if (end.equals("XID")) {
            binlog.xid();
        } else {
            statement(end);
        }
        binlog.close();
        rows(2);
        EventReader reader = reader();

        readAll(reader, binlog.dump(binlog.newestFile(), 4));

        assertThat(entries.stream().map(Entry::kind))
                .containsExactly(
                        EntryKind.BEGIN, EntryKind.ROWS, EntryKind.END, EntryKind.BEGIN, EntryKind.ROWS, EntryKind.END);
        assertThat(ids()).containsExactly(1L, 2L);
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
        return reader(holdsBack ? options(1 << 20) : OPTIONS);
    }

    private StreamOptions options(int memoryBytes) {
        return OPTIONS.with(new XaHolding(directory, memoryBytes));
    }

    private EventReader reader(StreamOptions options) {
        EventReader reader = new EventReader(
                SourceServer.at("db", 3306),
                new BinlogPosition(binlog.newestFile(), 4),
                null,
                options,
                tracker,
                filter,
                ColumnTypes.defaults(ZoneOffset.UTC),
                new ReaderOptions(HiddenColumns.NONE, EventReader.DEFAULT_MAPPING_BYTES, new HandTime()));
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
        chunk.close(true);
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
        beginXa(xid);
        insert(ORDERS, id);
        endXa(xid);
    }

    private void beginXa(String xid) {
        binlog.open(0x4C);
        if (!binlog.flavour().isMariaDb()) {
            statement("XA START " + xid(xid));
        }
    }

    private void endXa(String xid) {
        statement("XA END " + xid(xid));
        binlog.append(SyntheticBinlog.XA_PREPARE, prepareBody(xid, false));
        binlog.close();
    }

    private void decide(String command, String xid) {
        binlog.open(SyntheticBinlog.MARIADB_STANDALONE);
        statement(command + " " + xid(xid));
        binlog.close();
    }

    /** The keys of all rows, each row being an entry. */
    private List<Long> ids() {
        List<Long> ids = new ArrayList<>();
        for (Entry entry : entries) {
            ByteWriter out = new ByteWriter(256);
            if (entry.kind() == EntryKind.ROWS && Encodings.writeFlat(entry, out, 1, 1)) {
                String message = new String(out.toByteArray(), StandardCharsets.UTF_8);
                Matcher id = ID.matcher(message);
                assertThat(id.find()).as(message).isTrue();
                ids.add(Long.valueOf(id.group(1)));
            }
        }
        return ids;
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
