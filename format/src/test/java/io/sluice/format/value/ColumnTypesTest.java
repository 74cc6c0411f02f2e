package io.sluice.format.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Types;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnTypesTest {
    private static final int UTF8MB4 = 45;
    private static final int BINARY = 63;

    private static final ValueOptions AS_CANAL = ValueOptions.in(ZoneOffset.UTC);

    private final ColumnTypes types = new ColumnTypes(AS_CANAL);

    @ParameterizedTest
    @CsvSource({
        "binary(4), , 254, true, 4",
        "char(4), binary, 254, true, 4",
        "CHAR(4) BYTE, , 254, true, 4",
        "binary(4), , 254, false, 1",
        "varbinary(4), , 15, true, 1",
        "char(4), latin1, 254, true, 1",
    })
    void onlyFixedBytesAreFilledUp(String mysqlType, @Nullable String charset, int code, boolean exact, int length) {
        ColumnDeclaration column = new ColumnDeclaration("b", mysqlType, false, charset);
        ColumnType type = new ColumnTypes(AS_CANAL.withExactBinary(exact)).of(map(code, 4, null), 0, column);

        String text = text(type, 1, 'a');

        assertThat(text).isEqualTo("a" + "\0".repeat(length - 1));
    }

    @Test
    void theCharacterSetOfTheTableMapDecides() {
        ColumnTypes exact = new ColumnTypes(AS_CANAL.withExactBinary(true));
        ColumnDeclaration text = new ColumnDeclaration("c", "char(1)", false, "latin1");
        ColumnDeclaration bytes = new ColumnDeclaration("c", "binary(4)", false, null);

        assertThat(text(exact.of(map(ColumnCode.STRING, 4, new int[] {BINARY}), 0, text), 1, 'a'))
                .isEqualTo("a\0\0\0");
        assertThat(text(exact.of(map(ColumnCode.STRING, 4, new int[] {UTF8MB4}), 0, bytes), 1, 'a'))
                .isEqualTo("a");
    }

    @Test
    void anEmptyValueIsAllZerosAndAFullOneAsItIs() {
        ColumnType type = new ColumnTypes(AS_CANAL.withExactBinary(true).withSteadySqlTypes(true))
                .of(map(ColumnCode.STRING, 2, null), 0, new ColumnDeclaration("b", "binary(2)", false, null));

        assertThat(text(type, 0)).isEqualTo("\0\0");
        assertThat(text(type, 2, 0, 'a')).isEqualTo("\0a");
        assertThat(type.sqlType()).isEqualTo(Types.BLOB);
        assertThat(type.isPlain()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "int, 3, 0, int, 3, 0, true",
        "int, 3, 0, int unsigned, 3, 0, false",
        "varchar(20), 15, 80, varchar(30), 15, 120, true",
        "varchar(20), 15, 80, varchar(80), 15, 320, false",
        "datetime, 18, 0, datetime(3), 18, 3, false",
        "time(2), 11, 0, time(3), 11, 0, false",
        "blob, 252, 2, longblob, 252, 4, false",
        "binary(4), 254, 4, binary(5), 254, 5, true",
        "uuid, 254, 16, binary(16), 254, 16, false",
    })
    void columnsWhoseTypesDifferInNothingShareOne(
            String one, int oneCode, int oneMeta, String other, int otherCode, int otherMeta, boolean same) {
        ColumnType first = types.of(map(oneCode, oneMeta, null), 0, column(one));
        ColumnType second = types.of(map(otherCode, otherMeta, null), 0, column(other));

        assertThat(first == second).isEqualTo(same);
    }

    /** It is of the event, and the table schema may be of another time. */
    @ParameterizedTest
    @CsvSource({"int, true, 4294967295", "int unsigned, false, -1", "int unsigned, true, 4294967295", "int, false, -1"})
    void theSignOfTheTableMapDecides(String mysqlType, boolean unsigned, String text) {
        TableMap map =
                new TableMap(7, "s", "t", new int[] {ColumnCode.LONG}, new int[] {0}, new boolean[] {unsigned}, null);

        assertThat(text(types.of(map, 0, column(mysqlType)), 0xFF, 0xFF, 0xFF, 0xFF))
                .isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "varchar(9), 15, 255, 1, -1",
        "varchar(9), 15, 256, 2, -1",
        "char(9), 254, 255, 1, -1",
        "char(9), 254, 256, 2, -1",
        "binary(255), 254, 255, 1, -1",
        "bit(1), 16, 1, 0, 1",
        "bit(8), 16, 256, 0, 1",
        "bit(9), 16, 257, 0, 2",
        "bit(64), 16, 2048, 0, 8",
    })
    void theMetadataTellHowLongValuesAre(String mysqlType, int code, int meta, int prefixLength, int fixedLength) {
        for (boolean exact : new boolean[] {true, false}) {
            ColumnType type =
                    new ColumnTypes(AS_CANAL.withExactBinary(exact)).of(map(code, meta, null), 0, column(mysqlType));

            assertThat(type.prefixLength()).isEqualTo(prefixLength);
            assertThat(type.fixedLength()).isEqualTo(fixedLength);
        }
    }

    private static ColumnDeclaration column(String mysqlType) {
        return new ColumnDeclaration("c", mysqlType, mysqlType.endsWith("unsigned"), null);
    }

    private static TableMap map(int code, int meta, int @Nullable [] collations) {
        return new TableMap(7, "s", "t", new int[] {code}, new int[] {meta}, null, collations);
    }

    /** Of a value with its length in one byte. */
    private static String text(ColumnType type, int... bytes) {
        byte[] image = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            image[i] = (byte) bytes[i];
        }
        ByteWriter out = new ByteWriter(1);
        type.writeText(image, 0, type.length(image, 0, image.length), out);
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }
}
