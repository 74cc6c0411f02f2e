package io.sluice.schema.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.history.database.HistoryException;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.database.SqliteDatabase;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.h2.engine.Database;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.tx.TransactionMap;
import org.h2.mvstore.tx.TransactionStore;
import org.h2.mvstore.type.BasicDataType;
import org.h2.mvstore.type.DataType;
import org.h2.mvstore.type.LongDataType;
import org.h2.mvstore.type.MetaType;
import org.h2.mvstore.type.ObjectDataType;
import org.h2.mvstore.type.StringDataType;
import org.h2.result.RowFactory;
import org.h2.result.SearchRow;
import org.h2.value.CompareMode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of an H2 file with canal's tables at the first open. */
class H2TakeOverTest {
    private static final TableName T = new TableName("shop", "t");
    private static final long TIME = 1_700_000_000_000L;

    @TempDir
    private Path folder;

    private Path h2() {
        return folder.resolve("h2.mv.db");
    }

    private Path sqlite() {
        return folder.resolve("h2.sqlite");
    }

    private SchemaHistory open() throws IOException {
        return open("canal");
    }

    private SchemaHistory open(String password) throws IOException {
        return open(";CACHE_SIZE=1000;MODE=MYSQL;", password);
    }

    private SchemaHistory open(String settings, String password) throws IOException {
        HistoryConfig config = new HistoryConfig(
                "shop",
                HistoryLocation.parse("jdbc:h2:h2" + settings, folder),
                "canal",
                password,
                Duration.ofHours(24),
                Duration.ofHours(360));
        SchemaHistory history = SchemaHistory.open(config, Time.SYSTEM);
        history.setSource("uuid");
        return history;
    }

    /** Writes a table with a column for each of some statements, in an H2 file. */
    private void writeH2(int statements) throws IOException {
        try (H2Database database = H2Database.open(folder.resolve("h2"), "canal", "canal")) {
            OldHistory old = new OldHistory(database);
            old.createTables();
            old.addSnapshot("0", 0, "-1", -2, "{\"shop\":\"CREATE TABLE `t` (`c0` int)\"}", "{\"source\":\"uuid\"}");
            for (int i = 1; i <= statements; i++) {
                old.addRow("binlog.000001", 100L * i, TIME + i, "alter table t add c%d INT".formatted(i), "uuid");
            }
        }
    }

    private static String columnsAt(SchemaHistory history, long offset) throws IOException {
        SchemaTracker tracker = new SchemaTracker(name -> null, SourceTraits.DEFAULT, history);
        history.restore(tracker, StreamStart.at("uuid", "binlog.000001", offset, 1, TIME + 1_000_000));
        TableSchema table = tracker.catalog().table(T);
        return table == null
                ? "none"
                : table.columns().stream().map(column -> column.name()).collect(Collectors.joining(" "));
    }

    private List<String> files() throws IOException {
        try (var list = Files.list(folder)) {
            return list.map(file -> file.getFileName().toString())
                    .filter(name -> !name.endsWith("-wal"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void takesOverAllRowsAndKeepsTheFileAside() throws IOException {
        writeH2(700);
        byte[] before = Files.readAllBytes(h2());

        try (SchemaHistory history = open()) {
            assertThat(files()).containsExactly("h2.mv.db.imported", "h2.sqlite");
            assertThat(columnsAt(history, 301)).isEqualTo("c0 c1 c2 c3");
            assertThat(columnsAt(history, 80_000).split(" ")).hasSize(701);
        }
        assertThat(folder.resolve("h2.mv.db.imported")).hasBinaryContent(before);
        try (SchemaHistory history = open()) {
            SchemaTracker tracker = new SchemaTracker(name -> null, SourceTraits.DEFAULT, history);
            history.restore(tracker, StreamStart.at("uuid", "binlog.000001", 80_000, 1, TIME + 1_000_000));
            tracker.catalog().moveTo(new EventPosition("binlog.000001", 80_000, 100, 1, TIME + 1_000, null));
            tracker.statements().apply("alter table t add last INT", "shop");
            assertThat(columnsAt(history, 80_001)).endsWith(" c700 last");
        }
    }

    @Test
    void takesOverTheFileOfAProcessThatWasKilled() throws IOException {
        try (H2Database database = H2Database.open(folder.resolve("live"), "canal", "canal")) {
            OldHistory old = new OldHistory(database);
            old.createTables();
            old.addSnapshot("0", 0, "-1", -2, "{\"shop\":\"CREATE TABLE `t` (`c0` int)\"}", "{\"source\":\"uuid\"}");
            old.addRow("binlog.000001", 100, TIME, "alter table t add c1 INT", "uuid");
            Files.copy(folder.resolve("live.mv.db"), h2()); // as it is on the disk while it is open
        }
        try (SchemaHistory history = open()) {
            assertThat(columnsAt(history, 200)).isEqualTo("c0 c1");
        }
    }

    /** Whether H2 had written all that was committed to the file of a killed process is not known. */
    @Test
    void knowsWhenAFileWasClosed() throws IOException {
        try (H2Database database = H2Database.open(folder.resolve("h2"), "canal", "canal")) {
            OldHistory old = new OldHistory(database);
            old.createTables();
            old.addSnapshot("0", 0, "-1", -2, "{\"shop\":\"CREATE TABLE `t` (`c0` int)\"}", null);
        }
        Files.setLastModifiedTime(h2(), FileTime.fromMillis(TIME));
        byte[] closed = Files.readAllBytes(h2());
        try (SchemaHistory history = open()) {
            assertThat(history.recorded().closedByCanalMillis()).hasValue(TIME);
        }
        Files.delete(sqlite());
        Path live = folder.resolve("live.mv.db");
        Files.write(live, closed);
        try (H2Database database = H2Database.open(folder.resolve("live"), "canal", "canal")) {
            new OldHistory(database).addSnapshot("binlog.000001", 100, "1", TIME, "{}", null);
            Files.copy(live, h2());
        }
        try (SchemaHistory history = open()) {
            assertThat(history.recorded().closedByCanalMillis()).hasValue(0);
        }
    }

    /** H2 rolls the transaction back when it opens the file, so it must be able to write in it. */
    @Test
    void takesOverTheFileOfAProcessThatWasKilledInATransaction() throws Exception {
        JdbcDataSource live = new JdbcDataSource();
        live.setURL("jdbc:h2:file:" + folder.resolve("live") + ";MODE=MYSQL;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE");
        live.setUser("canal");
        live.setPassword("canal");
        try (H2Database database = H2Database.open(folder.resolve("live"), "canal", "canal");
                Connection killed = live.getConnection();
                Statement statement = killed.createStatement()) {
            OldHistory old = new OldHistory(database);
            old.createTables();
            old.addSnapshot("0", 0, "-1", -2, "{\"shop\":\"CREATE TABLE `t` (`c0` int)\"}", "{\"source\":\"uuid\"}");
            old.addRow("binlog.000001", 100, TIME, "alter table t add c1 INT", "uuid");
            killed.setAutoCommit(false);
            statement.execute("delete from meta_history");
            database.update("checkpoint sync");
            Files.copy(folder.resolve("live.mv.db"), h2());
            killed.rollback();
        }
        try (SchemaHistory history = open()) {
            assertThat(columnsAt(history, 200)).isEqualTo("c0 c1");
        }
    }

    @Test
    void importsAgainAfterACrashBeforeTheCommit() throws IOException {
        writeH2(3);
        SqliteDatabase.open(sqlite()).close(); // what a crash leaves: a file without tables

        try (SchemaHistory history = open()) {
            assertThat(columnsAt(history, 1000)).isEqualTo("c0 c1 c2 c3");
        }
        assertThat(files()).containsExactly("h2.mv.db.imported", "h2.sqlite");
    }

    @Test
    void renamesTheFileAfterACrashBetweenCommitAndRename() throws IOException {
        writeH2(3);
        open().close();
        Files.move(folder.resolve("h2.mv.db.imported"), h2());

        try (SchemaHistory history = open()) {
            assertThat(columnsAt(history, 1000)).isEqualTo("c0 c1 c2 c3");
        }
        assertThat(files()).containsExactly("h2.mv.db.imported", "h2.sqlite");
    }

    /** The form of canal's own statements, which H2 stores with everything that it adds. */
    @Test
    void takesOverTablesWithKeysAndComments() throws IOException {
        try (H2Database database = H2Database.open(folder.resolve("h2"), "canal", "canal")) {
            OldHistory old = new OldHistory(database);
            old.createTables();
            for (String table : List.of("meta_snapshot", "meta_history")) {
                database.update("alter table " + table
                        + " alter column extra text default null comment '\u989d\u5916''s \"one\"'");
                database.update("alter table " + table + " alter column binlog_timestamp bigint default -1");
                database.update("comment on table " + table + " is '\u8868'");
                database.update("create index destination_of_" + table + " on " + table
                        + "(destination, binlog_timestamp desc)");
                database.update("alter table " + table + " add constraint key_of_" + table
                        + " unique(destination, binlog_master_id, binlog_file, binlog_offest)");
            }
            database.update("set cache_size 1000");
            database.update("create user other password 'x'");
            database.update("analyze");
            old.addSnapshot("0", 0, "-1", -2, "{\"shop\":\"CREATE TABLE `t` (`c0` int)\"}", "{\"source\":\"uuid\"}");
            old.addRow(
                    "binlog.000001",
                    100,
                    TIME,
                    "alter table t add c1 INT comment '%s'".formatted("x".repeat(9_000)),
                    "uuid");
        }
        try (SchemaHistory history = open()) {
            assertThat(columnsAt(history, 200)).isEqualTo("c0 c1");
        }
    }

    @Test
    void takesOverAnEncryptedFile() throws IOException {
        try (H2Database database = H2Database.open(folder.resolve("h2;CIPHER=AES"), "canal", "key\u4e00 canal")) {
            OldHistory old = new OldHistory(database);
            old.createTables();
            old.addSnapshot("0", 0, "-1", -2, "{\"shop\":\"CREATE TABLE `t` (`c0` int)\"}", "{\"source\":\"uuid\"}");
        }
        for (String wrong : List.of("canal", "other canal")) {
            assertThatThrownBy(() -> open(";CIPHER=AES", wrong)).isInstanceOf(HistoryException.class);
        }
        try (SchemaHistory history = open(";CIPHER=AES", "key\u4e00 canal")) {
            assertThat(columnsAt(history, 200)).isEqualTo("c0");
        }
    }

    private void addTriggerThatSets(String property) {
        try (H2Database database = H2Database.open(folder.resolve("h2"), "canal", "canal")) {
            database.update("create trigger prepared before insert on meta_history as $$org.h2.api.Trigger create() {"
                    + " System.setProperty(\"" + property + "\", \"1\");"
                    + " return new org.h2.api.Trigger() {"
                    + " public void fire(java.sql.Connection c, Object[] a, Object[] b) {} }; }$$");
        }
    }

    /** H2 compiles the code of a trigger, and runs it, when it opens the file. */
    @Test
    void runsNoCodeOfAPreparedFile() throws IOException {
        writeH2(3);
        String property = "sluice.test.h2." + folder.getFileName();
        addTriggerThatSets(property);
        assertThat(System.clearProperty(property))
                .as("it runs when H2 reads it")
                .isEqualTo("1");

        assertThatThrownBy(this::open)
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining(h2().toString())
                .hasMessageContaining("CREATE FORCE TRIGGER")
                .hasMessageContaining("canal.instance.tsdb.url");
        assertThat(System.getProperty(property)).isNull();
        assertThat(h2()).exists();
    }

    /** H2 rolls back what a killed process has begun after it has executed the statements. */
    @Test
    void runsNoCodeThatTheRollbackOfATransactionRestores() throws IOException {
        writeH2(3);
        String property = "sluice.test.h2.rollback." + folder.getFileName();
        addTriggerThatSets(property);
        System.clearProperty(property);
        try (MVStore store = MVStore.open(h2().toString())) {
            DataType<SearchRow> rows = RowFactory.getDefaultRowFactory()
                    .createRowFactory(null, CompareMode.getInstance(null, 0), null, new int[4], null, null, 4, false)
                    .getRowDataType();
            TransactionStore transactions =
                    new TransactionStore(store, new MetaType<Database>(null, null), rows, 1_000);
            transactions.init();
            TransactionMap<Long, SearchRow> statements =
                    transactions.begin().openMap("table.0", LongDataType.INSTANCE, rows);
            long trigger = idOfTrigger(statements);
            statements.remove(trigger);
            statements.map.remove(trigger); // it is in the undo log only
            store.commit();
        }

        try (SchemaHistory history = open()) {
            assertThat(columnsAt(history, 1000)).isEqualTo("c0 c1 c2 c3");
        }
        assertThat(System.getProperty(property)).isNull();
    }

    private static long idOfTrigger(TransactionMap<Long, SearchRow> statements) {
        for (var rows = statements.entryIterator(null, null); rows.hasNext(); ) {
            var row = rows.next();
            if (row.getValue().getValue(3).getString().startsWith("CREATE FORCE TRIGGER")) {
                return row.getKey();
            }
        }
        throw new AssertionError("there is no trigger");
    }

    /** H2 allocates as much as a length states. */
    @ParameterizedTest
    @CsvSource({"_, ''", "table.0, 0 32 32 32 13"})
    void rejectsALengthThatThePageDoesNotHave(String map, String before) throws IOException {
        writeH2(3);
        try (MVStore store = MVStore.open(h2().toString())) {
            store.removeMap(map);
            MVMap.Builder<Object, String> builder = new MVMap.Builder<Object, String>().valueType(new TooLong(before));
            DataType<?> keys = map.equals("_") ? StringDataType.INSTANCE : LongDataType.INSTANCE;
            store.openMap(map, builder.keyType(castToObjects(keys))).put(map.equals("_") ? "x" : (Object) 1L, "");
            store.commit();
        }
        assertThatThrownBy(this::open)
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining(h2().toString())
                .hasMessageContaining("1500000000");
    }

    @SuppressWarnings("unchecked")
    private static DataType<Object> castToObjects(DataType<?> type) {
        return (DataType<Object>) type;
    }

    /** Writes some bytes and a length, without the text that should follow. */
    private static final class TooLong extends BasicDataType<String> {
        private final String before;

        TooLong(String before) {
            this.before = before;
        }

        @Override
        public void write(WriteBuffer buffer, String value) {
            for (String one : before.split(" ")) {
                if (!one.isEmpty()) {
                    buffer.put(Byte.parseByte(one));
                }
            }
            buffer.putVarInt(1_500_000_000);
        }

        @Override
        public String read(ByteBuffer buffer) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int getMemory(String value) {
            return 100;
        }

        @Override
        public String[] createStorage(int size) {
            return new String[size];
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "create alias prepared as 'String run() { return \"\"; }'                | CREATE FORCE ALIAS",
                "create alias prepared for 'java.lang.System.lineSeparator'             | CREATE FORCE ALIAS",
                "create force linked table prepared('', 'jdbc:h2:mem:', '', '', 'x')    | CREATE FORCE LINKED TABLE",
                "create force aggregate prepared for 'no.such.Aggregate'                | CREATE FORCE AGGREGATE",
                "create view prepared as select * from meta_history                     | CREATE FORCE VIEW",
                "create table prepared(a varchar default file_read('x', 'utf-8'))       | CREATE CACHED TABLE",
                "create table prepared(a int, b int generated always as (a + 1))        | CREATE CACHED TABLE",
                "alter table meta_history add constraint c check (length(extra) < 1000) | ALTER TABLE",
                "create domain prepared as varchar check (length(value) < 1000)         | CREATE DOMAIN",
                "create constant prepared value 1                                       | CREATE CONSTANT",
                "create schema prepared                                                 | CREATE SCHEMA",
            })
    void opensNoFileThatDefinesMoreThanTables(String statement, String kind) throws IOException {
        writeH2(3);
        try (H2Database database = H2Database.open(folder.resolve("h2"), "canal", "canal")) {
            database.update(statement);
        }
        assertThatThrownBy(this::open)
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("has more than tables, namely " + kind);
    }

    /** H2 reads prepared transactions as Java objects. */
    @Test
    void opensNoFileWithAPreparedTransaction() throws IOException {
        writeH2(3);
        try (MVStore store = MVStore.open(h2().toString())) {
            store.openMap("openTransactions").put(1, new Object[] {new ArrayList<>()});
            store.commit();
        }
        assertThatThrownBy(this::open).isInstanceOf(HistoryException.class).hasMessageContaining("a two-phase commit");
    }

    /** H2 loads and instantiates the classes that a file names as types. */
    @Test
    void opensNoFileWithATypeOfItsOwn() throws IOException {
        writeH2(3);
        try (MVStore store = MVStore.open(h2().toString())) {
            MVMap<String, DataType<?>> types = store.openMap(
                    "_",
                    new MVMap.Builder<String, DataType<?>>()
                            .keyType(StringDataType.INSTANCE)
                            .valueType(new MetaType<Database>(null, null)));
            types.put("x", new ObjectDataType());
            store.commit();
        }
        assertThatThrownBy(this::open)
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("the Java type org.h2.mvstore.type.ObjectDataType");
    }

    @Test
    void leavesNoCopyOfTheFile() throws IOException {
        Path before = Path.of(System.getProperty("java.io.tmpdir"));
        writeH2(3);
        Set<Path> copies = copies(before);
        open().close();
        assertThat(copies(before)).isSubsetOf(copies);
    }

    private static Set<Path> copies(Path directory) throws IOException {
        try (var list = Files.list(directory)) {
            return list.filter(path -> path.getFileName().toString().startsWith("sluice-h2-"))
                    .collect(Collectors.toSet());
        }
    }

    @Test
    void leavesNothingInTheNewFileIfARowCannotBeCopied() throws IOException {
        writeH2(3);
        try (H2Database database = H2Database.open(folder.resolve("h2"), "canal", "canal")) {
            database.update("alter table meta_history drop column sql_type");
        }

        assertThatThrownBy(this::open)
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining(h2().toString())
                .hasMessageContaining("cannot be taken over");
        assertThat(h2()).exists();
        try (SqliteDatabase database = SqliteDatabase.open(sqlite())) {
            assertThat(database.query("select name from sqlite_master")).isEmpty();
        }
    }

    @Test
    void rejectsTwoDivergedHistories() throws IOException {
        open().close();
        writeH2(3);

        assertThatThrownBy(this::open)
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("two schema histories")
                .hasMessageContaining(sqlite().toString())
                .hasMessageContaining(h2().toString());
        Files.delete(sqlite());
        try (SchemaHistory history = open()) {
            assertThat(columnsAt(history, 1000)).isEqualTo("c0 c1 c2 c3");
        }
    }

    @Test
    void rejectsADamagedFile() throws IOException {
        Files.writeString(h2(), "this is no database, ".repeat(1000));

        assertThatThrownBy(this::open)
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining(h2().toString())
                .hasMessageContaining("restore it from a backup");
        assertThatThrownBy(this::open).as("at the next start").isInstanceOf(HistoryException.class);
        assertThat(h2()).exists();
    }

    @Test
    void rejectsAFileThatWasCutOff() throws IOException {
        writeH2(700);
        byte[] whole = Files.readAllBytes(h2());
        for (int part = 1; part < 8; part++) {
            Files.write(h2(), java.util.Arrays.copyOf(whole, whole.length * part / 8));
            assertThatThrownBy(this::open).as("%d/8", part).isInstanceOf(HistoryException.class);
            assertThat(h2()).exists();
        }
    }

    /** H2 opens the state of an older chunk then, without an error. */
    @Test
    void rejectsAFileWhoseNewestChunkIsDamaged() throws IOException {
        writeH2(700);
        byte[] whole = Files.readAllBytes(h2());
        int header = 4096 * word(whole, 0, "block");
        int footer = header + 4096 * word(whole, header, "len") - 128;
        for (int at : new int[] {header + 8, footer + 8}) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 1;
            Files.write(h2(), damaged);
            assertThatThrownBy(this::open)
                    .as("byte %d", at)
                    .isInstanceOf(HistoryException.class)
                    .hasMessageContaining("it is damaged, or its end is missing");
            assertThat(h2()).exists();
        }
    }

    /** The header is there twice: one was torn, and the other is of the close before. */
    @Test
    void takesOverAWholeFileWhoseHeaderIsOfAnOlderState() throws IOException {
        writeH2(3);
        byte[] older = Files.readAllBytes(h2());
        try (H2Database database = H2Database.open(folder.resolve("h2"), "canal", "canal")) {
            new OldHistory(database).addRow("binlog.000001", 400, TIME + 4, "alter table t add c4 INT", "uuid");
        }
        byte[] torn = Files.readAllBytes(h2());
        assertThat(word(torn, 0, "version")).isGreaterThan(word(older, 0, "version"));
        java.util.Arrays.fill(torn, 0, 4096, (byte) 0);
        System.arraycopy(older, 4096, torn, 4096, 4096);
        Files.write(h2(), torn);

        try (SchemaHistory history = open()) {
            assertThat(columnsAt(history, 1000)).isEqualTo("c0 c1 c2 c3 c4");
        }
    }

    @Test
    void saysThatAnEmptyFileIsEmpty() throws IOException {
        Files.createFile(h2());
        assertThatThrownBy(this::open)
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining(h2().toString())
                .hasMessageContaining("nothing was ever written to it")
                .hasMessageContaining("move it away");
    }

    /** A hexadecimal number of a header. */
    private static int word(byte[] file, int at, String name) {
        String header = new String(file, at, 200, StandardCharsets.ISO_8859_1);
        return Integer.parseInt(header.replaceFirst("(?s)^.*?\\b" + name + ":([0-9a-f]+).*", "$1"), 16);
    }

    @Test
    void rejectsAnEncryptedFileThatWasCutOff() throws IOException {
        try (H2Database database = H2Database.open(folder.resolve("h2;CIPHER=AES"), "canal", "key canal")) {
            OldHistory old = new OldHistory(database);
            old.createTables();
            old.addSnapshot("0", 0, "-1", -2, "{\"shop\":\"CREATE TABLE `t` (`c0` int)\"}", "{\"source\":\"uuid\"}");
            for (int i = 1; i <= 100; i++) {
                old.addRow("binlog.000001", 100L * i, TIME + i, "alter table t add c%d INT".formatted(i), "uuid");
            }
        }
        byte[] whole = Files.readAllBytes(h2());
        for (int part = 1; part < 8; part++) {
            Files.write(h2(), java.util.Arrays.copyOf(whole, whole.length * part / 8));
            assertThatThrownBy(() -> open(";CIPHER=AES", "key canal"))
                    .as("%d/8", part)
                    .isInstanceOf(HistoryException.class);
            assertThat(h2()).exists();
        }
    }

    @Test
    void rejectsAStoreThatIsNoDatabase() throws IOException {
        try (MVStore store = MVStore.open(h2().toString())) {
            store.openMap("x").put("a", "b");
            store.commit();
        }
        assertThatThrownBy(this::open)
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("has no table of definitions");
    }

    @Test
    void rejectsAWrongPassword() throws IOException {
        writeH2(3);

        assertThatThrownBy(() -> open("a-secret"))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("Wrong user name or password")
                .hasMessageContaining("canal.instance.tsdb.dbPassword")
                .hasMessageNotContaining("a-secret");
        open("canal").close();
        open("a-secret").close(); // the new file has no user
    }

    @Test
    void rejectsAFileThatAnotherProcessHasOpen() throws IOException {
        writeH2(3);
        try (FileChannel channel = FileChannel.open(h2(), StandardOpenOption.WRITE)) {
            channel.lock(); // as H2 does; within one process its databases are shared
            assertThatThrownBy(this::open)
                    .isInstanceOf(HistoryException.class)
                    .hasMessageContaining("if another process has it open, stop that");
        }
        open().close();
    }

    @Test
    void endsAnImportWhenItsThreadIsInterrupted() throws Exception {
        writeH2(700);
        Thread.currentThread().interrupt();
        List<Exception> failures = new ArrayList<>();
        try {
            open().close();
        } catch (IOException e) {
            failures.add(e);
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(failures).singleElement().isInstanceOf(java.io.InterruptedIOException.class);

        try (SchemaHistory history = open()) {
            assertThat(columnsAt(history, 301)).isEqualTo("c0 c1 c2 c3");
        }
    }

    @Test
    void renamesAFileOfH2Version1() throws IOException {
        Files.writeString(
                h2(),
                "H:2,block:2,blockSize:1000,chunk:1,created:18f0a2b3c4d,format:1,version:1,fletcher:1b2c3d4e\n",
                StandardCharsets.ISO_8859_1,
                StandardOpenOption.CREATE_NEW);

        try (SchemaHistory history = open()) {
            assertThat(history.recorded().isEmpty()).isTrue();
        }
        assertThat(folder.resolve("h2.h2-1.x.mv.db")).content().contains("format:1");
    }

    /** Writes tables and rows in canal's form. */
    private record OldHistory(H2Database database) {
        private static final String COMMON = "id bigint auto_increment primary key, gmt_create datetime not null,"
                + " gmt_modified datetime not null, destination varchar(128), binlog_file varchar(64),"
                + " binlog_offest bigint, binlog_master_id varchar(64), binlog_timestamp bigint, ";

        void createTables() {
            database.update("create table meta_snapshot (" + COMMON + "data longtext, extra longtext)");
            database.update("create table meta_history (" + COMMON
                    + "use_schema varchar(1024), sql_schema varchar(1024), sql_table varchar(1024), sql_text longtext,"
                    + " sql_type varchar(1024), extra text)");
        }

        void addSnapshot(String file, long offset, String masterId, long time, String data, @Nullable String extra) {
            database.update(
                    "insert into meta_snapshot (gmt_create, gmt_modified, destination, binlog_file, binlog_offest,"
                            + " binlog_master_id, binlog_timestamp, data, extra) values (current_timestamp,"
                            + " current_timestamp, 'shop', ?, ?, ?, ?, ?, ?)",
                    file,
                    offset,
                    masterId,
                    time,
                    data,
                    extra);
        }

        void addRow(String file, long offset, long time, String sql, String source) {
            database.update(
                    "insert into meta_history (gmt_create, gmt_modified, destination, binlog_file, binlog_offest,"
                            + " binlog_master_id, binlog_timestamp, use_schema, sql_schema, sql_table, sql_text, sql_type,"
                            + " extra) values (current_timestamp, current_timestamp, 'shop', ?, ?, '1', ?, 'shop', 'shop',"
                            + " 't', ?, 'ALTER', ?)",
                    file,
                    offset,
                    time,
                    sql,
                    "{\"source\":\"%s\"}".formatted(source));
        }
    }
}
