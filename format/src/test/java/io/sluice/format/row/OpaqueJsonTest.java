package io.sluice.format.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.value.ColumnTypes;
import io.sluice.format.value.PartialJson;
import io.sluice.format.value.ValueOptions;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.Entry;
import io.sluice.protocol.entry.RowChange;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Binary values in documents of a table {@code shop.cart (id int primary key, j json)}, by the bytes of its rows. */
class OpaqueJsonTest {
    /** {@code JSON_OBJECT('id', CAST(x'FEDCBA98' AS BINARY), 'b', b'1')}, with its length before it, and the same with another id. */
    private static final String DOCUMENT =
            "1f000000 00 0200 1e00 1200 0100 1300 0200 0f 1500 0f 1800 62 6964 0f0101 0f04fedcba98";

    private static final String OTHER = DOCUMENT.replace("fedcba98", "ffdcba98");

    /** {@code DOCUMENT} with a byte at its end that an update in place no longer needs. */
    private static final String LOOSE =
            "20000000 00 0200 1f00 1200 0100 1300 0200 0f 1500 0f 1800 62 6964 0f0101 0f04fedcba98 00";

    /** That {@code $.id} was replaced by the id of {@code OTHER}. */
    private static final String REPLACED = "0e000000 00 04242e6964 07 0f0f04ffdcba98";

    private static final ValueOptions AS_CANAL = ValueOptions.in(ZoneOffset.UTC);

    @Test
    void haveTheTextOfCanalOrThatOfTheServer() {
        assertThat(flat(update(AS_CANAL, DOCUMENT, OTHER)))
                .contains(
                        "\"data\":[{\"id\":\"1\",\"j\":\"{\\\"b\\\": \\\"\\\\u0001\\\", \\\"id\\\": \\\"\uFFFD\u073A\uFFFD\\\"}\"}]");
        assertThat(flat(update(AS_CANAL.withExactJson(true), DOCUMENT, OTHER)))
                .contains(
                        "\"data\":[{\"id\":\"1\",\"j\":\"{\\\"b\\\": \\\"base64:type15:AQ==\\\", \\\"id\\\": \\\"base64:type15:/9y6mA==\\\"}\"}]");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anUpdateThatChangesOneIsSeenWhateverTheText(boolean exact) throws Exception {
        for (boolean steady : List.of(false, true)) {
            ValueOptions options = AS_CANAL.withExactJson(exact).withSteadySqlTypes(steady);
            assertThat(flat(update(options, DOCUMENT, OTHER))).contains("\"old\":[{\"j\":\"{");
            assertThat(isUpdated(update(options, DOCUMENT, OTHER))).isTrue();
            assertThat(flat(difference(options))).contains("\"old\":[{\"j\":\"{");
            assertThat(isUpdated(difference(options))).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anUpdateThatLeavesTheDocumentInOtherBytesIsNoChange(boolean exact) throws Exception {
        ValueOptions options = AS_CANAL.withExactJson(exact);
        assertThat(flat(update(options, DOCUMENT, LOOSE))).contains("\"old\":[{}]");
        assertThat(isUpdated(update(options, DOCUMENT, LOOSE))).isFalse();
    }

    private static RowsEntry update(ValueOptions options, String before, String after) {
        return entry(options, "02 03 03 00 01000000" + before + "00 01000000" + after);
    }

    private static RowsEntry difference(ValueOptions options) {
        return entry(options, "02 03 03 00 01000000" + DOCUMENT + "01 01 00 01000000" + REPLACED);
    }

    private static RowsEntry entry(ValueOptions options, String hex) {
        // Without the options of values, rows have no differences.
        PartialJson form = hex.contains(REPLACED) ? PartialJson.DOCUMENT : null;
        return JsonCarts.update(hex, form, new ColumnTypes(options), true);
    }

    private static String flat(RowsEntry entry) {
        ByteWriter out = new ByteWriter(64);
        assertThat(Encodings.writeFlat(entry, out, 1, 2)).isTrue();
        return new String(out.array(), 0, out.size(), StandardCharsets.UTF_8);
    }

    private static boolean isUpdated(RowsEntry entry) throws Exception {
        ByteWriter out = new ByteWriter(64);
        Encodings.writeProtobuf(entry, out);
        RowChange change =
                RowChange.parseFrom(Entry.parseFrom(out.toByteArray()).getStoreValue());
        return change.getRowDatas(0).getAfterColumns(1).getUpdated();
    }
}
