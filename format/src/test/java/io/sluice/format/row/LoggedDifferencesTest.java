package io.sluice.format.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.debezium.DebeziumFormat;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.message.BatchOrigin;
import io.sluice.format.split.RowCut;
import io.sluice.format.split.RowKey;
import io.sluice.format.split.RowPieces;
import io.sluice.format.value.ColumnTypes;
import io.sluice.format.value.PartialJson;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Updates of a table {@code shop.cart (id int primary key, j json)} that log the document as a difference, by their bytes. */
class LoggedDifferencesTest {
    private static final String FIRST_ID = "01000000";
    private static final String OTHER_ID = "02000000";

    /** {@code {"a": 1}}, with its length before it. */
    private static final String DOCUMENT = "0d000000 00 0100 0c00 0b00 0100 05 0100 61";

    /** That {@code $.a} was replaced by 5; and that nothing was changed. */
    private static final String REPLACED = "09000000 00 03242e61 03 050500";

    private static final String UNCHANGED = "00000000";

    /** Rows with the options of their values, of which the document is a difference. */
    private static final String OPTIONS = "01 01";

    private static final RowCut SPLIT = new RowCut(RowKey.PRIMARY, RowKey.PRIMARY, false, true);

    @ParameterizedTest
    @EnumSource
    void theInsertOfASplitUpdateHasTheDocument(PartialJson form) {
        for (String change : List.of(REPLACED, UNCHANGED)) {
            RowPieces pieces = Encodings.pieces(update(form, true, true, OTHER_ID, change), SPLIT);

            assertThat(types(pieces)).containsExactly(EventType.DELETE, EventType.INSERT);
            assertThat(flat(pieces.entryOf(0))).contains("{\"id\":\"1\",\"j\":\"{\\\"a\\\": 1}\"}");
            String document = change.equals(REPLACED) ? "{\\\"a\\\": 5}" : "{\\\"a\\\": 1}";
            assertThat(flat(pieces.entryOf(1))).contains("{\"id\":\"2\",\"j\":\"" + document + "\"}");
            assertThat(debezium(pieces.entryOf(1))).contains("\"after\":{\"id\":2,\"j\":\"" + document + "\"}");
        }
    }

    /** As with {@code binlog_row_image=NOBLOB}: the delete would take away what the insert does not have. */
    @ParameterizedTest
    @EnumSource
    void anUpdateIsNotSplitIfItsDocumentIsNotInTheEvent(PartialJson form) {
        for (String change : List.of(REPLACED, UNCHANGED)) {
            RowPieces pieces = Encodings.pieces(update(form, false, true, OTHER_ID, change), SPLIT);

            assertThat(types(pieces)).containsExactly(EventType.UPDATE);
            assertThat(pieces.messageKey(0)).isEqualTo(new byte[] {'2'});
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDocumentThatIsNotDeliveredDoesNotCount(PartialJson form) {
        RowPieces pieces = Encodings.pieces(update(form, false, false, OTHER_ID, REPLACED), SPLIT);

        assertThat(types(pieces)).containsExactly(EventType.DELETE, EventType.INSERT);
        assertThat(flat(pieces.entryOf(1))).contains("\"data\":[{\"id\":\"2\"}]");
    }

    /** A key that is a document is that of the insert, of the updates and of the delete of its row. */
    @ParameterizedTest
    @EnumSource
    void aDocumentThatIsTheKeyIsTheSameInAllChangesOfItsRow(PartialJson form) {
        RowKey document = RowKey.of(List.of("j"));
        RowCut cut = new RowCut(document, document, false, true);

        RowPieces moved = Encodings.pieces(update(form, true, true, FIRST_ID, REPLACED), cut);
        RowPieces kept = Encodings.pieces(update(form, true, true, OTHER_ID, UNCHANGED), cut);

        assertThat(types(moved)).containsExactly(EventType.DELETE, EventType.INSERT);
        assertThat(keys(moved)).containsExactly("{\"a\": 1}", "{\"a\": 5}");
        assertThat(types(kept)).containsExactly(EventType.UPDATE);
        assertThat(keys(kept)).containsExactly("{\"a\": 1}");
        assertThat(kept.hash(0)).isEqualTo("{\"a\": 1}".hashCode());
    }

    /** Readers of this format take a text of a function for the document. */
    @ParameterizedTest
    @EnumSource
    void debeziumsEnvelopeHasTheDocumentOrNothing(PartialJson form) {
        assertThat(debezium(update(form, true, true, FIRST_ID, REPLACED)))
                .contains("\"after\":{\"id\":1,\"j\":\"{\\\"a\\\": 5}\"}");
        assertThat(debezium(update(form, true, true, FIRST_ID, UNCHANGED)))
                .contains("\"after\":{\"id\":1,\"j\":\"{\\\"a\\\": 1}\"}");
        assertThat(debezium(update(form, false, true, FIRST_ID, REPLACED))).contains("\"after\":{\"id\":1}");
        assertThat(debezium(update(form, false, true, FIRST_ID, UNCHANGED))).contains("\"after\":{\"id\":1}");
    }

    private static List<EventType> types(RowPieces pieces) {
        return IntStream.range(0, pieces.count()).mapToObj(pieces::type).toList();
    }

    private static List<String> keys(RowPieces pieces) {
        return IntStream.range(0, pieces.count())
                .mapToObj(pieces::messageKey)
                .map(key -> new String(key, StandardCharsets.UTF_8))
                .toList();
    }

    private static RowsEntry update(
            PartialJson form, boolean hasDocumentBefore, boolean isDelivered, String idAfter, String change) {
        String before = hasDocumentBefore ? "00" + FIRST_ID + DOCUMENT : "00" + FIRST_ID;
        String hex = "02" + (hasDocumentBefore ? "03" : "01") + "03" + before + OPTIONS + "00" + idAfter + change;
        return JsonCarts.update(hex, form, ColumnTypes.defaults(ZoneOffset.UTC), isDelivered);
    }

    private static String flat(Entry entry) {
        ByteWriter out = new ByteWriter(64);
        assertThat(Encodings.writeFlat(entry, out, 1, 2)).isTrue();
        return new String(out.array(), 0, out.size(), StandardCharsets.UTF_8);
    }

    private static String debezium(Entry entry) {
        ByteWriter out = new ByteWriter(64);
        assertThat(new DebeziumFormat().newEncoder().encode(entry, new BatchOrigin(7, 1_000), out))
                .isTrue();
        return new String(out.array(), 0, out.size(), StandardCharsets.UTF_8);
    }
}
