package io.sluice.format.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonDifferencesTest {
    /** Of MySQL 8.0.31: {@code {"a": 1, "c": [1, 2]}}. */
    private static final String DOCUMENT =
            "000200200012000100130001000501000214006163" + "02000c00050100050200" + "0000";

    /** Operation, path and value, as {@code 0:$.a:03050100}; several separated by blanks. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0:$.a:030507 00 | {\"a\": 7, \"c\": [1, 2]} | JSON_REPLACE(j, '$.a', 7)",
                "0:$.c[1]:03050700 | {\"a\": 1, \"c\": [1, 7]} | JSON_REPLACE(j, '$.c[1]', 7)",
                "0:$:03050700 | 7 | JSON_REPLACE(j, '$', 7)",
                "0:$.a[0]:03050700 | {\"a\": 7, \"c\": [1, 2]} | JSON_REPLACE(j, '$.a[0]', 7)",
                "1:$.b:03050700 | {\"a\": 1, \"b\": 7, \"c\": [1, 2]} | JSON_INSERT(j, '$.b', 7)",
                "1:$.aa:03050700 | {\"a\": 1, \"c\": [1, 2], \"aa\": 7} | JSON_INSERT(j, '$.aa', 7)",
                "1:$.c[1]:03050700 | {\"a\": 1, \"c\": [1, 7, 2]} | JSON_ARRAY_INSERT(j, '$.c[1]', 7)",
                "1:$.c[9]:03050700 | {\"a\": 1, \"c\": [1, 2, 7]} | JSON_ARRAY_INSERT(j, '$.c[9]', 7)",
                "0:$.c[last]:03050700 | {\"a\": 1, \"c\": [1, 7]} | JSON_REPLACE(j, '$.c[last]', 7)",
                "0:$.c[last-1]:03050700 | {\"a\": 1, \"c\": [7, 2]} | JSON_REPLACE(j, '$.c[last-1]', 7)",
                "0:$.a[last]:03050700 | {\"a\": 7, \"c\": [1, 2]} | JSON_REPLACE(j, '$.a[last]', 7)",
                "0:$[last].a:03050700 | {\"a\": 7, \"c\": [1, 2]} | JSON_REPLACE(j, '$[last].a', 7)",
                "1:$.c[last]:03050700 | {\"a\": 1, \"c\": [1, 7, 2]} | JSON_ARRAY_INSERT(j, '$.c[last]', 7)",
                "1:$.c[last-9]:03050700 | {\"a\": 1, \"c\": [7, 1, 2]} | JSON_ARRAY_INSERT(j, '$.c[last-9]', 7)",
                "2:$.c[last-1] 2:$.c[last] 1:$.c[last]:03050700 | {\"a\": 1, \"c\": [7]} | JSON_ARRAY_INSERT(JSON_REMOVE(j, '$.c[last-1]', '$.c[last]'), '$.c[last]', 7)",
                "1:$.last:03050700 | {\"a\": 1, \"c\": [1, 2], \"last\": 7} | JSON_INSERT(j, '$.last', 7)",
                "2:$.c[0] | {\"a\": 1, \"c\": [2]} | JSON_REMOVE(j, '$.c[0]')",
                "2:$.a 2:$.c | {} | JSON_REMOVE(j, '$.a', '$.c')",
                "2:$.c[0] 2:$.c[0] 1:$.c[0]:03050700 | {\"a\": 1, \"c\": [7]} | JSON_ARRAY_INSERT(JSON_REMOVE(j, '$.c[0]', '$.c[0]'), '$.c[0]', 7)",
                "1:$.\"\\u0001\\n\\\"\":03050700 | {\"a\": 1, \"c\": [1, 2], \"\\u0001\\n\\\"\": 7} | JSON_INSERT(j, '$.\"\\u0001\\n\\\"\"', 7)",
            })
    void areAppliedOrWrittenAsFunctions(String differences, String document, String function) {
        String unblanked = differences.replace("07 00", "0700");
        assertThat(text(DOCUMENT, unblanked, PartialJson.DOCUMENT)).isEqualTo(document);
        assertThat(text(DOCUMENT, unblanked, PartialJson.FUNCTION)).isEqualTo(function);
        assertThat(text(null, unblanked, PartialJson.DOCUMENT)).isEqualTo(function);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0:$.x:03050700",
                "0:$.c[2]:03050700",
                "0:$.a[1]:03050700",
                "1:$.a:03050700",
                "1:$:03050700",
                "1:$.a[0]:03050700",
                "1:$.c.d:03050700",
                "2:$",
                "2:$.x",
                "2:$.c[2]",
                "0:$.a.b.c:03050700",
                "0:a:03050700",
                "0:$.c[:03050700",
                "0:$.c[]:03050700",
                "0:$.c[last-2]:03050700",
                "0:$.a[last-1]:03050700",
                "2:$.c[last-2]",
                "2:$.c[last-2147483648]",
                "0:$.c[last:03050700",
                "0:$.c[last-:03050700",
                "0:$.c[last-]:03050700",
                "0:$.c[las]:03050700",
                "0:$.c[last+1]:03050700",
                "0:$.\"c:03050700",
                "0:$x:03050700",
                "0:$.a:00",
                "3:$.a:03050700",
            })
    void refusesWhatDoesNotFit(String differences) {
        assertThatThrownBy(() -> text(DOCUMENT, differences, PartialJson.DOCUMENT))
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining("JSON");
    }

    @Test
    void noDifferencesAreTheDocumentAsItWasOrNoText() {
        assertThat(text(DOCUMENT, "", PartialJson.DOCUMENT)).isEqualTo("{\"a\": 1, \"c\": [1, 2]}");
        assertThat(text(DOCUMENT, "", PartialJson.FUNCTION)).isEmpty();
        assertThat(text(null, "", PartialJson.FUNCTION)).isEmpty();
    }

    /** Of MySQL 8.0.31: {@code {"": 1}}, whose key starts where the document ends. */
    @Test
    void anEmptyKeyMayStandAtTheEnd() {
        byte[] bytes = HexFormat.of().parseHex("0001000b000b000000050100");
        ByteWriter out = new ByteWriter(16);

        new JsonDocument(bytes, 0, bytes.length, new JsonForm(false, false)).writeText(out);

        assertThat(new String(out.toByteArray(), StandardCharsets.UTF_8)).isEqualTo("{\"\": 1}");
    }

    private static String text(String before, String differences, PartialJson form) {
        ByteWriter image = new ByteWriter(256);
        int beforeLength = -1;
        if (before != null) {
            byte[] document = HexFormat.of().parseHex(before);
            image.write(new byte[] {(byte) document.length, 0, 0, 0});
            image.write(document);
            beforeLength = image.size();
        }
        int at = image.size();
        ByteWriter all = new ByteWriter(64);
        for (String difference : differences.split(" ")) {
            String[] parts = difference.split(":");
            if (parts.length > 1) {
                all.writeByte(parts[0].charAt(0) - '0');
                byte[] path = parts[1].getBytes(StandardCharsets.UTF_8);
                all.writeByte(path.length);
                all.write(path);
                if (parts.length > 2) {
                    all.write(HexFormat.of().parseHex(parts[2]));
                }
            }
        }
        image.write(new byte[] {(byte) all.size(), 0, 0, 0});
        image.write(all.toByteArray());
        ByteWriter out = new ByteWriter(64);
        new JsonDifferences(4, new JsonForm(false, false))
                .writeText(image.toByteArray(), 0, beforeLength, at, image.size() - at, "j", form, out);
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }
}
