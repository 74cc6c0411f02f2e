package io.sluice.stream.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.Entry;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A completed image after has what canal's has, and what only the image before has; all else is as without that. */
class CompletedImagesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> GROUPS = List.of("01", "03", "04-keys", "04-rows", "06", "13");

    static Stream<GoldenCase> cases() throws Exception {
        List<GoldenCase> cases = new ArrayList<>(
                GoldenCase.all(List.of("mysql-5.7.22", "mysql-8.0.31", "mysql-9.7", "mariadb-10.11"), GROUPS));
        cases.removeIf(golden -> golden.name().endsWith("-fails"));
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void updatesAreCompletedAndNothingElseChanges(GoldenCase golden) throws Exception {
        List<Entry> expected = new ArrayList<>();
        int completed = 0;
        for (Entry entry : raw(golden, false)) {
            Entry complete = complete(entry);
            completed += complete.equals(entry) ? 0 : 1;
            expected.add(complete);
        }
        assertThat(raw(golden, true)).isEqualTo(expected);
        if (golden.name().equals("06-row-image-minimal")) {
            assertThat(completed).isPositive();
        }

        List<byte[]> plain = GoldenRun.flat(GoldenRun.entries(golden, settings(golden, false), false));
        List<byte[]> messages = GoldenRun.flat(GoldenRun.entries(golden, settings(golden, true), false));
        int next = 0;
        for (int i = 0; i < messages.size(); i++) {
            JsonNode message = JSON.readTree(messages.get(i));
            if (!message.get("type").asText().equals("UPDATE")
                    || message.get("isDdl").asBoolean()) {
                assertThat(message).isEqualTo(JSON.readTree(plain.get(i)));
                continue;
            }
            while (!isUpdate(expected.get(next))) {
                next++;
            }
            requireMessage(message, JSON.readTree(plain.get(i)), rows(expected.get(next++)));
        }
    }

    private static GoldenSettings settings(GoldenCase golden, boolean completes) throws Exception {
        Properties properties = golden.settings();
        properties.setProperty("canal.instance.value.image.complete", String.valueOf(completes));
        return new GoldenSettings(properties);
    }

    private static List<Entry> raw(GoldenCase golden, boolean completes) throws Exception {
        List<Entry> entries = new ArrayList<>();
        for (byte[] entry : GoldenRun.raw(GoldenRun.entries(golden, settings(golden, completes), true))) {
            entries.add(Entry.parseFrom(entry));
        }
        return entries;
    }

    private static boolean isUpdate(Entry entry) throws Exception {
        return entry.getEntryType() == EntryType.ROWDATA
                && entry.getHeader().getEventType() == EventType.UPDATE
                && !RowChange.parseFrom(entry.getStoreValue()).getIsDdl();
    }

    private static List<RowData> rows(Entry entry) throws Exception {
        return RowChange.parseFrom(entry.getStoreValue()).getRowDatasList();
    }

    private static Entry complete(Entry entry) throws Exception {
        if (!isUpdate(entry)) {
            return entry;
        }
        RowChange.Builder change = RowChange.parseFrom(entry.getStoreValue()).toBuilder();
        for (RowData.Builder row : change.getRowDatasBuilderList()) {
            Set<Integer> there =
                    row.getAfterColumnsList().stream().map(Column::getIndex).collect(Collectors.toSet());
            List<Column> after = new ArrayList<>(row.getAfterColumnsList());
            row.getBeforeColumnsList().stream()
                    .filter(column -> !there.contains(column.getIndex()))
                    .forEach(after::add);
            after.sort(Comparator.comparing(Column::getIndex));
            row.clearAfterColumns().addAllAfterColumns(after);
        }
        return entry.toBuilder().setStoreValue(change.build().toByteString()).build();
    }

    /** The texts are those of the protobuf form; {@code old} is as without completion. */
    private static void requireMessage(JsonNode message, JsonNode plain, List<RowData> rows) {
        Set<String> keys = new TreeSet<>();
        Set<String> names = new TreeSet<>();
        assertThat(message.get("data")).hasSize(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            ObjectNode expected = JSON.createObjectNode();
            for (Column column : rows.get(i).getAfterColumnsList()) {
                expected.put(column.getName(), column.getIsNull() ? null : column.getValue());
                names.add(column.getName());
                if (column.getIsKey()) {
                    keys.add(column.getName());
                }
            }
            assertThat(message.get("data").get(i)).isEqualTo(expected);
        }
        assertThat(message.get("old")).isEqualTo(plain.get("old"));
        Set<String> typed = new TreeSet<>();
        message.get("mysqlType").fieldNames().forEachRemaining(typed::add);
        assertThat(typed).isEqualTo(names);
        Set<String> shown = new TreeSet<>();
        message.get("pkNames").forEach(key -> shown.add(key.asText()));
        assertThat(shown).isEqualTo(keys);
    }
}
