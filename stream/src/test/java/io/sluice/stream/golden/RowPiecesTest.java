package io.sluice.stream.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.format.entry.ChangeId;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.row.RowPart;
import io.sluice.format.split.RowCut;
import io.sluice.format.split.RowKey;
import io.sluice.format.split.RowPieces;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.entry.Header;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rows of recorded events, one by one: all types, row images, and servers. */
class RowPiecesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    static Stream<GoldenCase> cases() throws Exception {
        List<String> groups = List.of("00", "01", "02-ch", "03", "04", "06", "10-routing-one", "12", "13", "14");
        List<GoldenCase> cases = new ArrayList<>(GoldenCase.all(List.of("mysql-8.0.31", "mariadb-10.11"), groups));
        cases.addAll(GoldenCase.all(List.of("mysql-8.0.15"), List.of("03")));
        cases.addAll(GoldenCase.all(List.of("mysql-9.7"), List.of("13")));
        return cases.stream();
    }

    /** Each column alone, then two of them; the texts are those of the protobuf form. */
    @ParameterizedTest
    @MethodSource("cases")
    void hashesAreThoseOfTheTexts(GoldenCase golden) throws Exception {
        for (Entry entry : rowsOf(golden)) {
            List<RowData> rows = change(entry).getRowDatasList();
            Set<String> names = new LinkedHashSet<>();
            rows.forEach(row -> {
                row.getBeforeColumnsList().forEach(column -> names.add(column.getName()));
                row.getAfterColumnsList().forEach(column -> names.add(column.getName()));
            });
            List<List<String>> keys = new ArrayList<>();
            names.forEach(name -> keys.add(List.of(name)));
            keys.add(List.of(
                    new ArrayList<>(names).get(names.size() - 1),
                    "no such column",
                    List.copyOf(names).get(0)));
            for (List<String> key : keys) {
                RowPieces pieces = Encodings.pieces(entry, new RowCut(RowKey.of(key), RowKey.of(key), false, false));
                assertThat(pieces.count()).isEqualTo(rows.size());
                for (int i = 0; i < rows.size(); i++) {
                    int hash = 0;
                    for (String name : key) {
                        hash ^= text(kept(entry, rows.get(i)), name).hashCode();
                    }
                    assertThat(pieces.hash(i)).as("%s of %s", key, rows.get(i)).isEqualTo(hash);
                    if (key.size() == 1) {
                        requireKey(pieces.messageKey(i), key.get(0), rows.get(i));
                    }
                }
            }
        }
    }

    private static void requireKey(byte[] key, String name, RowData row) {
        List<Column> other = row.getBeforeColumnsList();
        List<Column> image = row.getAfterColumnsList().stream()
                        .anyMatch(column -> column.getName().equals(name))
                ? row.getAfterColumnsList()
                : other;
        boolean isNull = image.stream().noneMatch(column -> column.getName().equals(name) && !column.getIsNull());
        assertThat(key == null).as("%s of %s", name, row).isEqualTo(isNull);
        if (key != null) {
            assertThat(new String(key, StandardCharsets.UTF_8)).isEqualTo(text(image, name));
        }
    }

    /** Rows that are dealt out at random are, together, the rows of the event, in its order. */
    @ParameterizedTest
    @MethodSource("cases")
    void entriesOfPiecesHoldTheirRowsAndNoOthers(GoldenCase golden) throws Exception {
        Random random = new Random(7);
        for (Entry entry : rowsOf(golden)) {
            RowPieces pieces = Encodings.pieces(entry, new RowCut(RowKey.PRIMARY, null, false, false));
            int hands = 1 + random.nextInt(4);
            List<List<Integer>> dealt = new ArrayList<>();
            IntStream.range(0, hands).forEach(hand -> dealt.add(new ArrayList<>()));
            for (int i = 0; i < pieces.count(); i++) {
                dealt.get(random.nextInt(hands)).add(i);
            }
            for (List<Integer> hand : dealt) {
                if (!hand.isEmpty()) {
                    Entry part = pieces.entryOf(
                            hand.stream().mapToInt(Integer::intValue).toArray());
                    requireRows(entry, part, hand);
                }
            }
        }
    }

    private static void requireRows(Entry whole, Entry part, List<Integer> rows) throws Exception {
        RowChange change = change(whole);
        RowChange.Builder expected = change.toBuilder().clearRowDatas();
        rows.forEach(row -> expected.addRowDatas(change.getRowDatas(row)));
        assertThat(change(part)).isEqualTo(expected.build());
        assertThat(header(part)).isEqualTo(header(whole));
        assertThat(part.rowCount()).isEqualTo(rows.size());
        ChangeId id = part.changeId();
        assertThat(id.row()).isEqualTo(whole.changeId().row() + rows.get(0));
        assertThat(id.rows()).isEqualTo(rows.size());

        ObjectNode message = flat(whole);
        ObjectNode some = message.deepCopy();
        some.set("data", chosen(message.get("data"), rows));
        if (message.get("old").isArray()) {
            some.set("old", chosen(message.get("old"), rows));
        }
        assertThat(flat(part).toString()).isEqualTo(some.toString());
    }

    private static ArrayNode chosen(JsonNode all, List<Integer> rows) {
        ArrayNode some = JSON.createArrayNode();
        rows.forEach(row -> some.add(all.get(row)));
        return some;
    }

    /** An update of a column that is taken for the key becomes a delete of the image before and an insert of the one after. */
    @ParameterizedTest
    @MethodSource("cases")
    void updatesOfTheKeyAreSplit(GoldenCase golden) throws Exception {
        for (Entry entry : rowsOf(golden)) {
            if (entry.eventType() != EventType.UPDATE) {
                continue;
            }
            RowChange change = change(entry);
            Set<String> names = new LinkedHashSet<>();
            change.getRowDatasList()
                    .forEach(row -> row.getAfterColumnsList().forEach(column -> names.add(column.getName())));
            int columns = 1
                    + change.getRowDatasList().stream()
                            .flatMap(row -> Stream.concat(
                                    row.getAfterColumnsList().stream(), row.getBeforeColumnsList().stream()))
                            .mapToInt(Column::getIndex)
                            .max()
                            .orElse(0);
            for (String name : names) {
                RowPieces pieces = Encodings.pieces(entry, new RowCut(RowKey.of(List.of(name)), null, true, true));
                int piece = 0;
                for (RowData row : change.getRowDatasList()) {
                    boolean isSplit = pieces.type(piece) == EventType.DELETE;
                    boolean isMoved = !golden.name().equals("06-row-image-minimal") // which has too few to insert
                            && row.getAfterColumnsCount() == columns
                            && has(row.getBeforeColumnsList(), name)
                            && !text(row.getBeforeColumnsList(), name).equals(text(row.getAfterColumnsList(), name));
                    assertThat(isSplit || !isMoved).as("%s of %s", name, row).isTrue();
                    if (isSplit) {
                        requireHalves(entry, pieces, piece, row, name);
                    } else {
                        assertThat(change(pieces.entryOf(piece)).getRowDatas(0)).isEqualTo(row);
                    }
                    piece += isSplit ? 2 : 1;
                }
                assertThat(pieces.count()).isEqualTo(piece);
            }
        }
    }

    private static void requireHalves(Entry entry, RowPieces pieces, int piece, RowData row, String name)
            throws Exception {
        Entry delete = pieces.entryOf(piece);
        Entry insert = pieces.entryOf(piece + 1);
        assertThat(delete.eventType()).isEqualTo(EventType.DELETE);
        assertThat(insert.eventType()).isEqualTo(EventType.INSERT);
        assertThat(header(delete).getEventType()).isEqualTo(EventType.DELETE);
        assertThat(pieces.hash(piece))
                .isEqualTo(text(row.getBeforeColumnsList(), name).hashCode());
        assertThat(pieces.hash(piece + 1))
                .isEqualTo(text(row.getAfterColumnsList(), name).hashCode());
        assertThat(texts(change(delete).getRowDatas(0).getBeforeColumnsList()))
                .isEqualTo(texts(row.getBeforeColumnsList()));
        assertThat(texts(change(insert).getRowDatas(0).getAfterColumnsList()))
                .isEqualTo(texts(row.getAfterColumnsList()));
        assertThat(flat(delete).get("data")).isEqualTo(json(row.getBeforeColumnsList()));
        assertThat(flat(insert).get("data")).isEqualTo(json(row.getAfterColumnsList()));
        assertThat(flat(insert).get("old").isNull()).isTrue();
        assertThat(List.of(delete.changeId().part(), insert.changeId().part()))
                .containsExactly(RowPart.BEFORE, RowPart.AFTER);
        assertThat(entry.changeId().part()).isEqualTo(RowPart.WHOLE);
    }

    private static ArrayNode json(List<Column> image) {
        ObjectNode row = JSON.createObjectNode();
        image.forEach(column -> row.put(column.getName(), column.getIsNull() ? null : column.getValue()));
        return JSON.createArrayNode().add(row);
    }

    private static List<String> texts(List<Column> image) {
        return image.stream()
                .map(column -> column.getName() + "=" + (column.getIsNull() ? null : column.getValue()))
                .toList();
    }

    private static List<Entry> rowsOf(GoldenCase golden) throws Exception {
        return GoldenRun.entries(golden, false).stream()
                .filter(entry -> entry.kind() == EntryKind.ROWS)
                .toList();
    }

    private static io.sluice.protocol.entry.Entry parsed(Entry entry) throws Exception {
        return io.sluice.protocol.entry.Entry.parseFrom(GoldenRun.protobuf(entry));
    }

    private static RowChange change(Entry entry) throws Exception {
        return RowChange.parseFrom(parsed(entry).getStoreValue());
    }

    private static Header header(Entry entry) throws Exception {
        return parsed(entry).getHeader();
    }

    private static ObjectNode flat(Entry entry) throws Exception {
        return (ObjectNode) JSON.readTree(GoldenRun.flat(List.of(entry)).get(0));
    }

    private static List<Column> kept(Entry entry, RowData row) {
        return entry.eventType() == EventType.DELETE ? row.getBeforeColumnsList() : row.getAfterColumnsList();
    }

    private static boolean has(List<Column> image, String name) {
        return image.stream().anyMatch(column -> column.getName().equals(name));
    }

    private static String text(List<Column> image, String name) {
        return image.stream()
                .filter(column -> column.getName().equals(name))
                .map(Column::getValue)
                .findFirst()
                .orElse("");
    }
}
