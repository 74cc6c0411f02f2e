package io.sluice.stream.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.split.RowCut;
import io.sluice.format.split.RowKey;
import io.sluice.format.split.RowPieces;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.Entry;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Updates that are logged as differences, as real servers wrote them. */
class PartialJsonTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    static Stream<GoldenCase> cases() throws Exception {
        return GoldenCase.all(GoldenFileTest.MYSQL_SERVERS, List.of("03-json-partial")).stream();
    }

    /** The image before an update holds the whole document; so each update must leave what the next one finds. */
    @ParameterizedTest
    @MethodSource("cases")
    void everyUpdateLeavesTheDocumentThatTheNextOneFinds(GoldenCase golden) throws Exception {
        Map<String, Map<String, Column>> newest = new HashMap<>();
        int compared = 0;
        for (byte[] bytes : GoldenRun.raw(GoldenRun.entries(golden, true))) {
            Entry entry = Entry.parseFrom(bytes);
            if (entry.getEntryType() != EntryType.ROWDATA) {
                continue;
            }
            for (RowData row : RowChange.parseFrom(entry.getStoreValue()).getRowDatasList()) {
                Map<String, Column> before = byName(row.getBeforeColumnsList());
                Map<String, Column> after = byName(row.getAfterColumnsList());
                if (before.containsKey("j") && after.containsKey("j")) {
                    String id = before.get("id").getValue();
                    for (String name : List.of("j", "k")) {
                        assertSameValue(newest.get(id).get(name), before.get(name));
                        assertUpdated(before.get(name), after.get(name));
                        compared++;
                    }
                }
                if (after.containsKey("id")) {
                    newest.put(after.get("id").getValue(), after);
                }
            }
        }
        assertThat(compared).isGreaterThan(40);
        // The last update of this row is logged without the document before it.
        assertThat(newest.get("101").get("j").getValue())
                .isEqualTo("{\"a\": 77, \"c\": [22, 3], \"d\": {\"e\": {\"f\": \"g\"}}, \"new\": \"key\"}");
        assertThat(newest.get("3").get("j").getValue()).isEqualTo("{\"a\": 3, \"back\": 1}");
    }

    private static Map<String, Column> byName(List<Column> columns) {
        Map<String, Column> byName = new HashMap<>();
        columns.forEach(column -> byName.put(column.getName(), column));
        return byName;
    }

    private static void assertSameValue(Column left, Column right) {
        assertThat(right.getIsNull()).isEqualTo(left.getIsNull());
        assertThat(right.getValue()).isEqualTo(left.getValue());
    }

    private static void assertUpdated(Column before, Column after) {
        boolean same =
                before.getIsNull() == after.getIsNull() && before.getValue().equals(after.getValue());
        assertThat(after.getUpdated()).as("%s, then %s", before, after).isEqualTo(!same);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void bothFormsDescribeTheSameDocument(GoldenCase golden) throws Exception {
        List<JsonNode> flat = new ArrayList<>();
        for (byte[] message : GoldenRun.flat(GoldenRun.entries(golden, false))) {
            flat.add(JSON.readTree(message));
        }
        int compared = 0;
        int next = 0;
        for (byte[] bytes : GoldenRun.raw(GoldenRun.entries(golden, true))) {
            Entry entry = Entry.parseFrom(bytes);
            if (entry.getEntryType() != EntryType.ROWDATA) {
                continue;
            }
            JsonNode message = flat.get(next++);
            RowChange change = RowChange.parseFrom(entry.getStoreValue());
            for (int i = 0; i < change.getRowDatasCount(); i++) {
                for (Column column : change.getRowDatas(i).getAfterColumnsList()) {
                    JsonNode value = message.get("data").get(i).get(column.getName());
                    assertThat(value.isNull()).isEqualTo(column.getIsNull());
                    assertThat(value.asText("")).isEqualTo(column.getValue());
                    JsonNode old = message.get("old");
                    if (old != null && old.size() == 1 && change.getRowDatas(i).getBeforeColumnsCount() > 2) {
                        assertThat(old.get(i).has(column.getName())).isEqualTo(column.getUpdated());
                    }
                    compared++;
                }
            }
        }
        assertThat(next).isEqualTo(flat.size());
        assertThat(compared).isGreaterThan(80);
    }

    /** As functions they are canal's texts, also those of documents that did not change, which have none. */
    @ParameterizedTest
    @MethodSource("cases")
    void functionsAreThoseOfTheRecord(GoldenCase golden) throws Exception {
        Properties properties = golden.settings();
        properties.setProperty("canal.instance.value.json.partial", "function");
        List<byte[]> ours = GoldenRun.flat(GoldenRun.entries(golden, new GoldenSettings(properties), false));
        List<JsonNode> recorded = golden.lines("flat.jsonl");
        assertThat(ours).hasSameSizeAs(recorded);
        int functions = 0;
        int unchanged = 0;
        for (int i = 0; i < ours.size(); i++) {
            JsonNode record = recorded.get(i).get("value");
            JsonNode message = JSON.readTree(ours.get(i));
            for (int row = 0; row < record.get("data").size(); row++) {
                for (String name : List.of("j", "k")) {
                    JsonNode expected = record.get("data").get(row).path(name);
                    JsonNode actual = message.get("data").get(row).path(name);
                    if (!expected.asText().contains("\u00e4")) { // canal reads paths as ISO-8859-1
                        assertThat(actual).as("message %d", i).isEqualTo(expected);
                    }
                    assertThat(message.path("old").path(row).path(name))
                            .as("message %d", i)
                            .isEqualTo(record.path("old").path(row).path(name));
                    functions += actual.asText().startsWith("JSON_") ? 1 : 0;
                    unchanged += actual.isTextual() && actual.asText().isEmpty() ? 1 : 0;
                }
            }
        }
        assertThat(unchanged).isGreaterThan(10);
        assertThat(functions).isGreaterThan(20);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void functionsHaveTheMarksOfTheRecord(GoldenCase golden) throws Exception {
        Properties properties = golden.settings();
        properties.setProperty("canal.instance.value.json.partial", "function");
        List<byte[]> ours = GoldenRun.raw(GoldenRun.entries(golden, new GoldenSettings(properties), true));
        assertThat(updatedDocuments(ours)).hasSizeGreaterThan(40).isEqualTo(updatedDocuments(golden.raw()));
    }

    /** The insert has the documents, whatever form they have in updates: the delete takes away the ones before. */
    @ParameterizedTest
    @MethodSource("cases")
    void theInsertOfASplitUpdateHasTheDocuments(GoldenCase golden) throws Exception {
        for (String form : List.of("document", "function")) {
            Properties properties = golden.settings();
            properties.setProperty("canal.instance.value.json.partial", form);
            List<JsonNode> inserts = new ArrayList<>();
            for (var entry : GoldenRun.entries(golden, new GoldenSettings(properties), false)) {
                if (entry.kind() == EntryKind.ROWS && entry.eventType() == EventType.UPDATE) {
                    RowPieces pieces = Encodings.pieces(entry, new RowCut(RowKey.of(List.of("id")), null, false, true));
                    for (int i = 0; i < pieces.count(); i++) {
                        if (pieces.type(i) == EventType.INSERT) {
                            byte[] message =
                                    GoldenRun.flat(List.of(pieces.entryOf(i))).get(0);
                            inserts.add(JSON.readTree(message).get("data").get(0));
                        }
                    }
                }
            }
            assertThat(inserts).hasSize(1);
            JsonNode row = inserts.get(0);
            assertThat(row.get("id").asText()).isEqualTo("101");
            assertThat(JSON.readTree(row.get("j").asText()).get("a").asInt()).isEqualTo(77);
            assertThat(row.get("k").asText()).isEqualTo("{\"full\": true}");
        }
    }

    private static List<Boolean> updatedDocuments(List<byte[]> entries) throws Exception {
        List<Boolean> updated = new ArrayList<>();
        for (byte[] bytes : entries) {
            Entry entry = Entry.parseFrom(bytes);
            if (entry.getEntryType() == EntryType.ROWDATA) {
                for (RowData row : RowChange.parseFrom(entry.getStoreValue()).getRowDatasList()) {
                    row.getAfterColumnsList().stream()
                            .filter(column -> List.of("j", "k").contains(column.getName()))
                            .forEach(column -> updated.add(column.getUpdated()));
                }
            }
        }
        return updated;
    }
}
