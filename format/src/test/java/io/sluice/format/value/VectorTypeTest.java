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

class VectorTypeTest {
    private static final VectorType TYPE = new VectorType(4);

    /** The first as MySQL 9.7 stores {@code TO_VECTOR('[1, 2.5, -3]')}. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0c0000000000803f00002040000040c0 | [1.0,2.5,-3.0]",
                "04000000cdcccc3d | [0.1]",
                "040000000000807f | [Infinity]",
                "04000000ffff7f7f | [3.4028235E38]",
                "00000000 | []",
            })
    void writesItsNumbersAsFloatColumnsDo(String hex, String text) {
        assertThat(text(hex)).isEqualTo(text);
    }

    @Test
    void refusesAPartOfANumber() {
        assertThatThrownBy(() -> text("050000000000803f00"))
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining("a vector of 5 bytes");
    }

    private static String text(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        int length = TYPE.length(bytes, 0, bytes.length);
        ByteWriter out = new ByteWriter(16);
        TYPE.writeText(bytes, 0, length, out);
        return new String(out.array(), 0, out.size(), StandardCharsets.US_ASCII);
    }
}
