package io.sluice.stream.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.format.row.MappedColumn;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.StatementSession;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.TableDefinitions;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.table.StoredColumn;
import io.sluice.schema.table.TableName;
import io.sluice.stream.failure.StreamException;
import io.sluice.testkit.junit.Seeded;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TableMappingsTest {
    private final Map<String, String> schemas = new HashMap<>();
    private final SchemaTracker tracker = new SchemaTracker(table -> schemas.get(table.table()));
    private final TableFilter filter = new TableFilter("", "s\\.hidden");
    private final TableMappings tables =
            new TableMappings(tracker, filter, ColumnTypes.defaults(ZoneOffset.UTC), RowDelivery.ALL);
    private final TableEvents events = new TableEvents(tables);

    @BeforeEach
    void define() {
        schemas.put("a", "create table a (id int, n int)");
        schemas.put("b", "create table b (id int)");
    }

    @Test
    @DisplayName("an equal table map changes nothing, at whatever offset of a buffer it is")
    void sameAgain() throws IOException {
        accept(7, "a", 2, 0);
        TableMapping first = tables.byId(7);

        accept(7, "a", 2, 33);

        assertThat(tables.byId(7)).isSameAs(first);
        assertThat(tableOf(7)).isEqualTo("a");
    }

    @Test
    @DisplayName("an id that is mapped to another table belongs to that one, and to the first when it is mapped back")
    void anIdWithAnotherTableIsRemapped() throws IOException {
        accept(7, "a", 2, 0);
        accept(8, "b", 1, 0);

        accept(7, "b", 1, 0);
        assertThat(tableOf(7)).isEqualTo("b");
        assertThat(tableOf(8)).isEqualTo("b");

        accept(7, "a", 2, 0);
        assertThat(tableOf(7)).isEqualTo("a");
    }

    @Test
    @DisplayName("in another file ids are unmapped until their table maps are read")
    void otherFile() throws IOException {
        accept(7, "a", 2, 0);

        tables.forgetIds();
        assertThat(tables.byId(7)).isNull();

        accept(7, "b", 1, 0);
        assertThat(tableOf(7)).isEqualTo("b");
    }

    @Test
    @DisplayName("after a DDL the same bytes are decoded with the new table schema")
    void afterADdlTheSameBytesHaveTheNewSchema() throws IOException {
        accept(7, "a", 2, 0);
        TableMapping before = tables.byId(7);

        tracker.catalog().define(new TableName("s", "a"), "create table a (id int, renamed int)");
        tables.onSchemaChange();
        accept(7, "a", 2, 0);

        TableMapping after = tables.byId(7);
        assertThat(after.schema().columns().get(1).name()).isEqualTo("renamed");
        assertThat(before.schema().columns().get(1).name()).isEqualTo("n");
    }

    @Test
    @DisplayName(
            "a table that may have another schema since a DDL may have been of a temporary table is not taken for the same")
    void sameSchemaInDoubt() throws IOException {
        accept(7, "a", 2, 0);
        schemas.remove("a"); // else the source would decide at once
        tracker.statements()
                .apply("alter table a change n m int", "s", SqlMode.DEFAULT, new StatementSession(7, true, false));
        tracker.statements()
                .apply("alter table a change m n int", "s", SqlMode.DEFAULT, new StatementSession(8, true, false));
        tables.onSchemaChange();
        schemas.put("a", "create table a (id int, m int)");

        accept(7, "a", 2, 0);

        assertThat(tables.byId(7).schema().columns().get(1).name()).isEqualTo("m");
    }

    @Test
    @DisplayName(
            "a client's filter that is too expensive for a table gives way to the configured one, and reading continues")
    void filterThatFails() throws IOException {
        schemas.put("c".repeat(60), "create table c (id int)");
        filter.include(".*".repeat(20) + "x");

        accept(7, "c".repeat(60), 1, 0);
        accept(8, "hidden", 1, 0);
        accept(7, "c".repeat(60), 1, 0);

        assertThat(tableOf(7)).startsWith("ccc");
        assertThat(tables.byId(8).table()).isNull();
    }

    @Test
    @DisplayName(
            "a table that a filter has excluded since stays excluded when rows of it are delivered that were held back")
    void rowsThatWereHeldBack() throws IOException {
        accept(7, "a", 2, 0);
        TableMapping held = tables.byId(7);
        filter.include("s\\.b");
        accept(8, "b", 1, 0);

        tables.put(7, held);
        assertThat(tableOf(7)).isEqualTo("a");

        accept(9, "a", 2, 0);
        assertThat(tables.byId(9).table()).isNull();
        accept(7, "a", 2, 0);
        assertThat(tables.byId(7).table()).isNull();
    }

    /** A table that was created while its schema had another default than on the source. */
    private static final class OtherDefault implements TableDefinitions {
        private @Nullable String table;

        @Override
        public @Nullable String createStatement(TableName name) {
            return table;
        }

        @Override
        public String schemaCharset(String schema) {
            return "latin1";
        }

        @Override
        public boolean changesCharsetAfter(String schema, EventPosition event) {
            return true;
        }
    }

    @Test
    @DisplayName(
            "text in a default character set that is not known is decoded if the table map states it, or the source has the table, and rejected otherwise")
    void textInADefaultThatIsNotKnown() throws IOException {
        OtherDefault source = new OtherDefault();
        SchemaTracker behind = new SchemaTracker(source, new SourceTraits(true, 101118, false));
        TableMappings mappings =
                new TableMappings(behind, filter, ColumnTypes.defaults(ZoneOffset.UTC), RowDelivery.ALL);
        TableEvents maps = new TableEvents(mappings);
        behind.catalog().moveTo(new EventPosition("binlog.000001", 4, 10, 1, 0, null));
        behind.statements().apply("CREATE TABLE t (x TEXT)", "s");

        maps.textMap(7, "s", "t", 51);
        assertThat(mappings.byId(7).table().layout().columns())
                .extracting(MappedColumn::name)
                .containsExactly("x");
        assertThatThrownBy(() -> maps.textMap(8, "s", "t", 0))
                .isInstanceOf(SchemaMismatchException.class)
                .hasMessageContaining("character set of the column x");

        source.table = "CREATE TABLE t (x text) DEFAULT CHARSET=koi8r";
        maps.textMap(8, "s", "t", 0);
        assertThat(mappings.byId(8).schema().columns().get(0).charset()).isEqualTo("koi8r");
    }

    @Test
    @DisplayName(
            "row images may lack generated columns where the binlog is of a server that leaves them out, also after another one's")
    void generatedColumnsThatAreNotLogged() throws IOException {
        SchemaTracker tracker = new SchemaTracker(
                table -> "create table t (id int primary key, g int as (id + 1) stored)",
                new SourceTraits(true, 110809, false));
        TableMappings mappings =
                new TableMappings(tracker, filter, ColumnTypes.defaults(ZoneOffset.UTC), RowDelivery.ALL);
        TableEvents maps = new TableEvents(mappings);

        for (String version : List.of("10.11.18-MariaDB-log", "11.8.9-MariaDB-log", "10.11.18-MariaDB-log")) {
            maps.writtenBy(version);
            maps.map(7, "s", "t", 2, 0);

            byte[] keyAlone = {2, 1};
            assertThat(mappings.byId(7)
                            .table()
                            .layout()
                            .lacksColumns(new EventBody(keyAlone, 0, keyAlone.length), EventType.DELETE))
                    .as(version)
                    .isEqualTo(!version.startsWith("11"));
        }
    }

    @Test
    @DisplayName("rows with fewer columns than the table schema get the names of those that alone can be theirs")
    void fewerColumnsThatFit() throws IOException {
        schemas.put("a", "create table a (id int, note text, n int, m bigint)");

        accept(7, "a", 2, 0);

        assertThat(tables.byId(7).table().layout().columns())
                .extracting(MappedColumn::name)
                .containsExactly("id", "n");
    }

    @Test
    @DisplayName("rows with fewer columns are rejected if several choices of columns fit, or none")
    void fewerColumnsInDoubt() {
        schemas.put("a", "create table a (id int, dropped int, n int)");
        schemas.put("b", "create table b (id int, t text, u text)");

        for (String table : List.of("a", "b")) {
            assertThatThrownBy(() -> accept(7, table, 2, 0))
                    .isInstanceOf(StreamException.class)
                    .hasMessageContaining("rows of s." + table)
                    .hasMessageContaining("the table schema has 3")
                    .hasMessageContaining("canal.instance.schema.reload");
        }
    }

    @Test
    @DisplayName("a table whose rows are skipped, and that is dropped and made again, is reported again")
    void heldTableThatIsMadeAgain() throws IOException {
        TableMappings skipping =
                new TableMappings(tracker, filter, ColumnTypes.defaults(ZoneOffset.UTC), RowDelivery.MATCHING);
        TableEvents rows = new TableEvents(skipping);
        rows.map(7, "s", "b", 2, 0);
        assertThat(tracker.counts().tablesHeld()).isEqualTo(1);

        tracker.statements().apply("drop table b", "s");
        tracker.statements().apply("create table b (id int, n int)", "s");
        skipping.onSchemaChange();
        rows.map(7, "s", "b", 2, 0);
        assertThat(skipping.byId(7).table()).isNotNull();
        rows.map(8, "s", "b", 3, 0);

        assertThat(skipping.byId(8).table()).isNull();
        assertThat(tracker.counts().tablesHeld()).isEqualTo(2);
    }

    @Test
    @DisplayName("where an operator accepts the schemas of now, the first columns are taken")
    void fewerColumnsOfAReloadedTable() throws IOException {
        schemas.put("a", "create table a (id int, n int, added int)");
        tracker.rows().acceptPresent(table -> table.table().equals("a"));

        accept(7, "a", 2, 0);

        assertThat(tables.byId(7).table().layout().columns())
                .extracting(MappedColumn::name)
                .containsExactly("id", "n");
    }

    @Test
    @DisplayName("the column of a multi-valued index, which early releases of MySQL 8.0 log, is none of the table")
    void multiValuedIndex() throws IOException {
        schemas.put("a", "create table a (id int, doc json, note varchar(20) character set utf8mb4)");

        events.map(7, "s", "a", hex("03 f5 14 0f"), hex("04 0f780000 5000"), hex(""));

        assertColumns("id", "doc", null, "note");
    }

    @Test
    @DisplayName("the column of a multi-valued index is left out of full metadata")
    void multiValuedIndexWithFullMetadata() throws IOException {
        String names = "04 0b 02 6964 03 646f63 01 78 01 6e"; // id, doc, x, n
        schemas.put("a", "create table a (id int, doc json, m int)");

        events.map(7, "s", "a", hex("03 f5 14 03"), hex("04 0a"), hex("01 01 00 " + names));

        assertColumns("id", "doc", null, "n");
    }

    @Test
    @DisplayName("beside a multi-valued index of numbers the signs are those of the table schema")
    void signsBesideAMultiValuedIndex() throws IOException {
        schemas.put("a", "create table a (id int, doc json, n bigint unsigned)");

        events.map(7, "s", "a", hex("03 f5 14 08"), hex("04 08"), hex("01 01 00"));

        assertColumns("id", "doc", null, "n");
        ByteWriter text = new ByteWriter(20);
        tables.byId(7).table().layout().columns().get(3).type().writeText(hex("ff".repeat(8)), 0, 8, text);
        assertThat(new String(text.toByteArray(), StandardCharsets.US_ASCII)).isEqualTo("18446744073709551615");
    }

    @Test
    @DisplayName("columns of other indexes may be beside that of a multi-valued one")
    void multiValuedIndexBesideOthers() throws IOException {
        SchemaTracker source = new SchemaTracker(new TableDefinitions() {
            @Override
            public String createStatement(TableName table) {
                return "create table a (id int, doc json, note varchar(20) character set utf8mb4)";
            }

            @Override
            public List<StoredColumn> storedColumns(TableName table) {
                return List.of(
                        new StoredColumn("id", "int", false),
                        new StoredColumn("doc", "json", false),
                        new StoredColumn("0123456789abcdef0123456789abcdef", "bigint unsigned array", true),
                        new StoredColumn("!hidden!second!0!0", "bigint", true),
                        new StoredColumn("note", "varchar(20)", false));
            }
        });
        TableMappings mappings =
                new TableMappings(source, filter, ColumnTypes.defaults(ZoneOffset.UTC), RowDelivery.ALL);

        new TableEvents(mappings).map(7, "s", "a", hex("03 f5 14 08 0f"), hex("04 08 5000"), hex(""));

        assertThat(delivered(mappings)).containsExactly("id", "doc", null, null, "note");
    }

    private void assertColumns(@Nullable String... names) {
        assertThat(tables.byId(7).table().layout().hasUnlogged()).isTrue();
        assertThat(delivered(tables)).containsExactly(names);
    }

    /** The names of the columns; null for those that are not delivered. */
    private static List<@Nullable String> delivered(TableMappings mappings) {
        List<@Nullable String> names = new ArrayList<>();
        for (MappedColumn column : mappings.byId(7).table().layout().columns()) {
            names.add(column.isDelivered() ? column.name() : null);
        }
        return names;
    }

    private static byte[] hex(String bytes) {
        return HexFormat.of().parseHex(bytes.replace(" ", ""));
    }

    @Test
    @DisplayName("the binlog is searched for a dropped sequence only if the rows can be those of one")
    void droppedSequence() throws IOException {
        List<String> searched = new ArrayList<>();
        TableDefinitions definitions = new TableDefinitions() {
            @Override
            public @Nullable String createStatement(TableName table) {
                return null;
            }

            @Override
            public @Nullable String schemaCharset(String schema) {
                return null;
            }

            @Override
            public boolean wasSequence(TableName name, EventPosition event, boolean isGone) {
                searched.add(name.table());
                return name.table().equals("c");
            }
        };
        TableMappings mariaDb = new TableMappings(
                new SchemaTracker(definitions, new SourceTraits(true, 110800, false)),
                filter,
                ColumnTypes.defaults(ZoneOffset.UTC),
                RowDelivery.MATCHING);
        TableEvents statements = new TableEvents(mariaDb);

        statements.map(7, "s", "a", 2, 0);
        assertThat(mariaDb.byId(7).held()).isNotNull();
        assertThat(searched).isEmpty();

        statements.map(8, "s", "b", 8, 0);
        assertThat(mariaDb.byId(8).held()).isNotNull();
        statements.map(9, "s", "c", 8, 0);
        assertThat(mariaDb.byId(9).held()).isNull();
        assertThat(mariaDb.byId(9).table()).isNull();
        assertThat(searched).containsExactly("b", "c");
    }

    @Test
    @DisplayName("dropped and renamed tables are evicted, and those of a dropped schema")
    void goneTables() throws IOException {
        accept(7, "a", 2, 0);
        accept(8, "b", 1, 0);
        events.rows(8, true);

        ddl("drop table s.a");
        assertThat(tables.tables()).isEqualTo(1);
        ddl("rename table s.b to s.c");
        assertThat(tables.tables()).isZero();

        schemas.put("a", "create table a (id int)");
        accept(9, "a", 1, 0);
        ddl("drop database s");
        assertThat(tables.tables()).isZero();
        schemas.put("a", "create table a (other int)");
        accept(10, "a", 1, 0);
        assertThat(tables.byId(10).schema().columns().get(0).name()).isEqualTo("other");
    }

    @Test
    @DisplayName("with a cache for no table, a statement still has all tables that it has mapped")
    void statementOfManyTables() throws IOException {
        TableMappings small = withRoomFor(1);
        TableEvents statements = new TableEvents(small);
        for (int i = 0; i < 50; i++) {
            statements.map(i, "s", "a", 2, 0);
            statements.rows(i, true);
        }
        int many = 3 * MappingCache.MAX_IDS;
        for (int i = 0; i < many; i++) {
            schemas.put("t" + i, "create table t" + i + " (id int)");
            statements.map(1000 + i, "s", "t" + i, 1, 0);
            if (i % 100 == 0) {
                statements.rows(1000, false);
            }
        }
        for (int i = 0; i < many; i++) {
            assertThat(small.byId(1000 + i).table().table()).isEqualTo("t" + i);
        }
        for (int i = 0; i < many; i += 1000) {
            statements.rows(1000 + i, i + 1000 >= many);
        }
        for (int i = 0; i < 3; i++) {
            statements.map(5, "s", "a", 2, 0);
            statements.rows(5, true);
        }
        assertThat(small.ids()).isLessThan(10);
        assertThat(small.byId(1000)).isNull();
    }

    @Test
    @DisplayName("an evicted table is mapped again by its next table map")
    void forgottenTable() throws IOException {
        TableMappings small = withRoomFor(1);
        TableEvents statements = new TableEvents(small);
        statements.map(7, "s", "a", 2, 0);
        TableMapping first = small.byId(7);
        statements.rows(7, true);
        for (int i = 0; i < 3; i++) {
            statements.map(8, "s", "b", 1, 0);
            statements.rows(8, true);
        }
        assertThat(small.byId(7)).isNull();

        statements.map(7, "s", "a", 2, 0);

        assertThat(small.byId(7)).isNotSameAs(first);
        assertThat(small.byId(7).table().table()).isEqualTo("a");
    }

    @Test
    @DisplayName("tables with the same columns share their layout, also after an eviction")
    void sharedLayouts() throws IOException {
        for (int i = 0; i < 100; i++) {
            schemas.put("log_" + i, "create table x (id int, n int)");
            accept(i, "log_" + i, 2, 0);
            events.rows(i, true);
        }
        assertThat(tables.byId(3).table().layout())
                .isSameAs(tables.byId(98).table().layout());
        accept(200, "a", 2, 0);
        assertThat(tables.byId(200).table().layout())
                .isSameAs(tables.byId(98).table().layout());
        accept(201, "b", 1, 0);
        assertThat(tables.byId(201).table().layout())
                .isNotSameAs(tables.byId(98).table().layout());
    }

    /** What is forgotten is never missed: all answers are those of one that forgets nothing. */
    @Test
    @DisplayName("look-ups match those of an unbounded cache")
    void behavesAsAnUnboundedCache(@Seeded SplittableRandom random) throws IOException {
        for (int run = 0; run < 20; run++) {
            long room = 1L << random.nextInt(24);
            compare(random, room, "run %d, room %d".formatted(run, room));
        }
    }

    private void compare(SplittableRandom random, long room, String what) throws IOException {
        TableMappings bounded = withRoomFor(room);
        TableMappings unbounded = withRoomFor(Long.MAX_VALUE);
        List<TableEvents> both = List.of(new TableEvents(bounded), new TableEvents(unbounded));
        int tableCount = 1 + random.nextInt(500);
        long nextId = 100;
        Map<Integer, Long> ids = new HashMap<>();
        for (int statement = 0; statement < 3000; statement++) {
            int event = random.nextInt(100);
            if (event == 0) {
                bounded.forgetIds();
                unbounded.forgetIds();
                ids.clear();
            } else if (event < 5) {
                int table = random.nextInt(tableCount);
                String name = "t" + table;
                schemas.put(name, "create table x (%s int, n int)".formatted("c" + random.nextInt(3)));
                tracker.statements().apply("drop table s." + name, "s");
                bounded.onSchemaChange();
                unbounded.onSchemaChange();
                ids.remove(table);
            }
            List<Integer> mapped = new ArrayList<>();
            for (int i = random.nextInt(8); i >= 0; i--) {
                int table = random.nextInt(tableCount);
                schemas.putIfAbsent("t" + table, "create table x (id int, n int)");
                if (!ids.containsKey(table) || random.nextInt(20) == 0) {
                    ids.put(table, nextId++); // as a server does that has closed the table meanwhile
                }
                for (TableEvents events : both) {
                    events.map(ids.get(table), "s", "t" + table, 2, random.nextInt(3));
                }
                mapped.add(table);
            }
            for (int i = random.nextInt(12); i >= 0; i--) {
                int table = mapped.get(random.nextInt(mapped.size()));
                TableMapping mapping = bounded.byId(ids.get(table));
                TableMapping expected = unbounded.byId(ids.get(table));
                assertThat(mapping).as(what).isNotNull();
                assertThat(mapping.table().table()).as(what).isEqualTo("t" + table);
                assertThat(mapping.schema()).as(what).isEqualTo(expected.schema());
                for (TableEvents events : both) {
                    events.rows(ids.get(table), i == 0);
                }
            }
        }
        if (room < 1 << 12) {
            assertThat(bounded.tables()).as(what).isLessThan(50);
            assertThat(bounded.ids()).as(what).isLessThan(50);
        }
    }

    private TableMappings withRoomFor(long bytes) {
        return new TableMappings(
                tracker,
                new TableFilter("", ""),
                ColumnTypes.defaults(ZoneOffset.UTC),
                RowDelivery.ALL,
                HiddenColumns.NONE,
                bytes);
    }

    private void ddl(String sql) throws IOException {
        tracker.statements().apply(sql, "s");
        tables.onSchemaChange();
    }

    private String tableOf(long id) {
        return tables.byId(id).table().table();
    }

    private void accept(long id, String table, int columns, int from) throws IOException {
        events.map(id, "s", table, columns, from);
    }
}
