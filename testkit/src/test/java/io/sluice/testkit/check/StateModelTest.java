package io.sluice.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.Entry;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.entry.Header;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.packet.PacketType;
import io.sluice.testkit.check.Problem.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each way to go wrong must be found, and what is right must pass. */
class StateModelTest {
    private static final TableId ORDERS = new TableId("shop", "orders");
    private static final Map<String, String> TYPES = Map.of("id", "int", "note", "varchar(20)", "amt", "decimal(10,2)");

    private final FlatRecords flat = new FlatRecords();
    private long offset;

    private final List<Change> insert1 = row("INSERT", 1, "{'id':'1','note':'a','amt':'1.0'}", null);
    private final List<Change> insert2 = row("INSERT", 2, "{'id':'2','note':'b','amt':'2.50'}", null);
    private final List<Change> update1 = row("UPDATE", 3, "{'id':'1','note':'c','amt':'1.0'}", "{'note':'a'}");
    private final List<Change> update1Again = row("UPDATE", 4, "{'id':'1','note':'d','amt':'1.0'}", "{'note':'c'}");
    private final List<Change> moveKey = row("UPDATE", 5, "{'id':'9','note':'d','amt':'1.0'}", "{'id':'1'}");
    private final List<Change> delete2 = row("DELETE", 6, "{'id':'2','note':'b','amt':'2.50'}", null);

    @Test
    void changesInOrderGiveTheState() {
        StateModel model = replay(Duplicates.FORBIDDEN, insert1, insert2, update1, update1Again, moveKey, delete2);

        assertThat(model.problems()).isEmpty();
        StateComparison.requireEqual(expected(Map.of("id", "9", "note", "d", "amt", "1.00")), model);
    }

    /** What the binlog strips, and nothing else, may be missing; with all bytes delivered, nothing may. */
    @ParameterizedTest
    @CsvSource({
        "a00000, a00000, EXACT, true",
        "a00000, a0, EXACT, false",
        "a00000, a000, EXACT, false",
        "a00000, a0, STRIPPED, true",
        "a00000, a000, STRIPPED, false",
        "a00000, a00000, STRIPPED, false",
        "a000b0, a000b0, STRIPPED, true",
        "00a000, a0, STRIPPED, false",
        "000000, '', STRIPPED, true",
        "000000, 000000, EXACT, true",
    })
    void fixedBytesAreComparedToTheByte(String held, String delivered, FixedBytes form, boolean equal) {
        Map<String, String> types = Map.of("id", "binary(3)");
        TableId table = new TableId("shop", "b");
        StateModel model = new StateModel(Duplicates.FORBIDDEN);
        Row row = Row.of(Map.of("id", bytes(delivered)));
        model.apply(new Change.OfRow(table, new Origin("b", 0, 1, "at 1"), List.of("id"), types, null, row));
        ExpectedState expected = () -> List.of(new OneRow(table, types, Row.of(Map.of("id", bytes(held)))));

        assertThat(StateComparison.compare(expected, model, form).isEmpty()).isEqualTo(equal);
    }

    private static String bytes(String hex) {
        return new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
    }

    private record OneRow(TableId id, Map<String, String> types, Row row) implements ExpectedState.Table {
        @Override
        public List<String> key() {
            return List.of("id");
        }

        @Override
        public void forEachRow(Map<String, String> deliveredTypes, Consumer<Row> receiver) {
            receiver.accept(row);
        }
    }

    @Test
    void findsAnUnexpectedDuplicate() {
        assertThat(kinds(replay(Duplicates.FORBIDDEN, insert1, insert1))).containsExactly(Kind.ROW_EXISTS);
        assertThat(kinds(replay(Duplicates.FORBIDDEN, insert1, update1, update1)))
                .containsExactly(Kind.OTHER_BEFORE_IMAGE);
        assertThat(kinds(replay(Duplicates.FORBIDDEN, insert2, delete2, delete2)))
                .containsExactly(Kind.ROW_ABSENT);
    }

    @Test
    void findsALostChangeByTheNextOneOfItsRow() {
        assertThat(kinds(replay(Duplicates.FORBIDDEN, insert1, update1Again))).containsExactly(Kind.OTHER_BEFORE_IMAGE);
        assertThat(kinds(replay(Duplicates.FORBIDDEN, update1))).containsExactly(Kind.ROW_ABSENT);
        assertThat(kinds(replay(Duplicates.ALLOWED, insert1, update1Again))).containsExactly(Kind.OTHER_BEFORE_IMAGE);
    }

    @Test
    void findsTheWrongOrder() {
        assertThat(kinds(replay(Duplicates.FORBIDDEN, insert1, update1Again, update1)))
                .containsExactly(Kind.OTHER_BEFORE_IMAGE, Kind.OTHER_BEFORE_IMAGE);
        assertThat(kinds(replay(Duplicates.ALLOWED, delete2, insert2))).containsExactly(Kind.ROW_ABSENT);
    }

    @Test
    void reportsTheRecordOfAProblem() {
        StateModel model = replay(Duplicates.FORBIDDEN, insert1, update1Again);

        assertThat(model.problems())
                .singleElement()
                .hasToString("OTHER_BEFORE_IMAGE: shop.orders [id]=[1] has in [note] [a], and the change says [c],"
                        + " by record 3 of shop-0 (event at 4)");
    }

    @Test
    void aRewindMayRepeatAllThatFollowed() {
        StateModel model = replay(
                Duplicates.ALLOWED, insert1, insert2, update1, insert2, update1, update1Again, update1, update1Again);

        assertThat(model.problems()).isEmpty();
        assertThat(model.distinctChanges()).isEqualTo(4);
        assertThat(model.repeatedChanges()).isEqualTo(4);
        assertThat(model.row(ORDERS, "1").value("note")).isEqualTo("d");
    }

    @Test
    void aRewindMayNotLeaveOutWhatItShouldRepeat() {
        assertThat(kinds(replay(Duplicates.ALLOWED, insert1, insert2, update1, insert1, update1)))
                .containsExactly(Kind.SKIPPED_IN_REPETITION);
        assertThat(kinds(replay(Duplicates.ALLOWED, insert1, insert2, insert1, update1)))
                .containsExactly(Kind.SKIPPED_IN_REPETITION);
    }

    @Test
    void aStreamMustNotEndWithinARewind() {
        StateModel model = replay(Duplicates.ALLOWED, insert1, update1, update1Again, update1);

        assertThat(model.isRepeating()).isTrue();
        assertThat(kinds(model)).containsExactly(Kind.UNFINISHED_REPETITION);
    }

    @Test
    void findsEachDifferenceToTheTable() {
        StateModel model = replay(Duplicates.FORBIDDEN, insert1, insert2);
        Map<String, String> first = Map.of("id", "1", "note", "a", "amt", "1.00");
        Map<String, String> second = Map.of("id", "2", "note", "b", "amt", "2.50");

        assertThat(differences(model, first, second)).isEmpty();
        assertThat(differences(model, first)).containsExactly("EXTRA_ROW: shop.orders {id=2}");
        assertThat(differences(model, first, second, Map.of("id", "3", "note", "c", "amt", "0")))
                .containsExactly("LOST_ROW: shop.orders {id=3}");
        assertThat(differences(model, first, Map.of("id", "2", "note", "b", "amt", "2.51")))
                .containsExactly(
                        "WRONG_VALUE: shop.orders {id=2} column amt decimal(10,2): expected <2.51> but was <2.50>");
        assertThat(differences(model, first, Map.of("id", "2", "note", "b")))
                .containsExactly(
                        "EXTRA_COLUMN: shop.orders {id=2} column amt decimal(10,2): expected <null> but was <2.50>");
        assertThat(differences(model, first, Map.of("id", "2", "note", "b", "amt", "2.50", "more", "x")))
                .containsExactly(
                        "MISSING_COLUMN: shop.orders {id=2} column more of unknown type: expected <x> but was <null>");
        assertThatThrownBy(() -> StateComparison.requireEqual(expected(first), model))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("EXTRA_ROW: shop.orders {id=2}");
    }

    @Test
    void countsEqualRowsOfATableWithoutKey() {
        List<Change> same = flat("INSERT", 1, "[]", "[{'a':'1'},{'a':'1'},{'a':'2'}]", "null");
        List<Change> gone = flat("DELETE", 2, "[]", "[{'a':'1'}]", "null");
        StateModel model = replay(Duplicates.FORBIDDEN, same, gone);

        assertThat(differences(model, Map.of("a", "1"), Map.of("a", "2"))).isEmpty();
        assertThat(differences(model, Map.of("a", "2"), Map.of("a", "2")))
                .containsExactly("LOST_ROW: shop.orders {a=2}", "EXTRA_ROW: shop.orders {a=1}");
        assertThat(kinds(replay(Duplicates.FORBIDDEN, same, gone, gone, gone))).containsExactly(Kind.ROW_ABSENT);
    }

    @Test
    void followsStatementsThatChangeTables() {
        StateModel renamed = replay(
                Duplicates.FORBIDDEN, insert1, schema("RENAME", "moved", "rename table orders to `shop`.`moved`"));
        assertThat(renamed.tables()).containsExactly(new TableId("shop", "moved"));
        assertThat(renamed.rowCount(new TableId("shop", "moved"))).isEqualTo(1);

        StateModel altered = replay(
                Duplicates.FORBIDDEN, insert1, schema("RENAME", "moved", "ALTER TABLE shop.orders RENAME TO moved"));
        assertThat(altered.tables()).containsExactly(new TableId("shop", "moved"));

        StateModel emptied = replay(Duplicates.FORBIDDEN, insert1, schema("TRUNCATE", "orders", "truncate orders"));
        assertThat(emptied.rowCount(ORDERS)).isZero();

        StateModel dropped = replay(
                Duplicates.FORBIDDEN,
                insert1,
                schema("ERASE", "x", "DROP TABLE IF EXISTS x, `orders` /* generated */"));
        assertThat(dropped.tables()).isEmpty();

        StateModel without = replay(Duplicates.FORBIDDEN, insert1, schema("QUERY", "", "drop database `shop`"));
        assertThat(without.tables()).isEmpty();
    }

    @Test
    void readsRawRecords() {
        RawRecords raw = new RawRecords();
        StateModel model = new StateModel(Duplicates.ALLOWED);
        byte[] first = packet(entry(
                100,
                EventType.INSERT,
                row -> row.addAfterColumns(column("id", "1")).addAfterColumns(column("note", "a"))));
        byte[] second = packet(entry(
                200,
                EventType.UPDATE,
                row -> row.addBeforeColumns(column("id", "1"))
                        .addBeforeColumns(column("note", "a"))
                        .addAfterColumns(column("id", "7"))
                        .addAfterColumns(column("note", "b"))));
        model.apply(raw.read("topic", 0, 0, first));
        model.apply(raw.read("topic", 0, 1, second));
        model.apply(raw.read("topic", 0, 2, first));
        assertThat(kinds(model)).containsExactly(Kind.UNFINISHED_REPETITION);
        model.apply(raw.read("topic", 0, 3, second));

        assertThat(model.problems()).isEmpty();
        assertThat(model.row(ORDERS, "7")).hasToString("{id: 7, note: b}");
        assertThat(model.rowCount(ORDERS)).isEqualTo(1);
    }

    @SafeVarargs
    private static StateModel replay(Duplicates duplicates, List<Change>... changes) {
        StateModel model = new StateModel(duplicates);
        for (List<Change> some : changes) {
            model.apply(some);
        }
        return model;
    }

    private static List<Kind> kinds(StateModel model) {
        return model.problems().stream().map(Problem::kind).toList();
    }

    @SafeVarargs
    private static List<String> differences(StateModel model, Map<String, String>... rows) {
        return StateComparison.compare(expected(rows), model).stream()
                .map(StateDifference::toString)
                .toList();
    }

    @SafeVarargs
    private static ExpectedState expected(Map<String, String>... rows) {
        return () -> List.of(new ExpectedState.Table() {
            @Override
            public TableId id() {
                return ORDERS;
            }

            @Override
            public List<String> key() {
                return null;
            }

            @Override
            public Map<String, String> types() {
                return Map.of();
            }

            @Override
            public void forEachRow(Map<String, String> deliveredTypes, Consumer<Row> receiver) {
                List.of(rows).forEach(row -> receiver.accept(Row.of(row)));
            }
        });
    }

    private List<Change> row(String type, long time, String data, String old) {
        return flat(type, time, "['id']", "[" + data + "]", old == null ? "null" : "[" + old + "]");
    }

    private List<Change> flat(String type, long time, String key, String data, String old) {
        List<String> types = new ArrayList<>();
        TYPES.forEach((name, sqlType) -> types.add("'" + name + "':'" + sqlType + "'"));
        return flat.read(
                "shop",
                0,
                offset++,
                "{'data':%s,'database':'shop','es':%d,'isDdl':false,'mysqlType':{%s},'old':%s,'pkNames':%s,'table':'orders','type':'%s'}"
                        .formatted(data, time, String.join(",", types), old, key, type)
                        .replace('\'', '"')
                        .getBytes(StandardCharsets.UTF_8));
    }

    private List<Change> schema(String type, String table, String sql) {
        return flat.read(
                "shop",
                0,
                offset++,
                "{'data':null,'database':'shop','es':1,'isDdl':true,'sql':'%s','table':'%s','type':'%s'}"
                        .formatted(sql, table, type)
                        .replace('\'', '"')
                        .getBytes(StandardCharsets.UTF_8));
    }

    private static Column column(String name, String value) {
        return Column.newBuilder()
                .setName(name)
                .setIsKey(name.equals("id"))
                .setMysqlType("varchar(9)")
                .setValue(value)
                .build();
    }

    private static Entry entry(long position, EventType type, Consumer<RowData.Builder> fill) {
        RowData.Builder row = RowData.newBuilder();
        fill.accept(row);
        return Entry.newBuilder()
                .setEntryType(EntryType.ROWDATA)
                .setHeader(Header.newBuilder()
                        .setLogfileName("binlog.000001")
                        .setLogfileOffset(position)
                        .setSchemaName("shop")
                        .setTableName("orders")
                        .setEventType(type))
                .setStoreValue(RowChange.newBuilder()
                        .setEventType(type)
                        .addRowDatas(row)
                        .build()
                        .toByteString())
                .build();
    }

    private static byte[] packet(Entry entry) {
        ByteString body =
                Messages.newBuilder().addMessages(entry.toByteString()).build().toByteString();
        return Packet.newBuilder()
                .setType(PacketType.MESSAGES)
                .setBody(body)
                .build()
                .toByteArray();
    }
}
