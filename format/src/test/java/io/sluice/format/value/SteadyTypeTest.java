package io.sluice.format.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.TableMap;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.Types;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SteadyTypeTest {
    private static final byte[] LARGE = {-1, -1, -1, -1, -1, -1, -1, -1};

    /** The number of a value, of one beyond the signed range, and of NULL; then the one for all. */
    @ParameterizedTest
    @CsvSource({
        "TINY,     1, 0, true,  TINYINT,  SMALLINT, TINYINT,  SMALLINT",
        "TINY,     1, 0, false, TINYINT,  TINYINT,  TINYINT,  TINYINT",
        "LONG,     4, 0, true,  INTEGER,  BIGINT,   INTEGER,  BIGINT",
        "LONGLONG, 8, 0, true,  BIGINT,   DECIMAL,  BIGINT,   DECIMAL",
        "SET,      1, 1, false, BIT,      BIT,      BLOB,     BIT",
        "JSON,     0, 4, false, VARCHAR,  VARCHAR,  OTHER,    VARCHAR",
    })
    void aColumnHasOneSqlType(
            String code, int bytes, int meta, boolean unsigned, String value, String wide, String ofNull, String steady)
            throws Exception {
        TableMap map = new TableMap(
                1,
                "s",
                "t",
                new int[] {ColumnCode.class.getField(code).getInt(null)},
                new int[] {meta},
                new boolean[] {unsigned},
                null,
                null);
        ColumnDeclaration column = new ColumnDeclaration("c", "any", unsigned, null);
        ColumnTypes types = ColumnTypes.defaults(ZoneOffset.UTC);

        ColumnType changing = types.of(map, 0, column);
        assertThat(changing.sqlType()).isEqualTo(number(value));
        assertThat(bytes > 0 && changing.isWide(LARGE, 0) ? changing.sqlTypeOfWide() : changing.sqlType())
                .isEqualTo(number(wide));
        assertThat(changing.sqlTypeOfNull()).isEqualTo(number(ofNull));

        ColumnType same = new ColumnTypes(ValueOptions.in(ZoneOffset.UTC).withSteadySqlTypes(true)).of(map, 0, column);
        assertThat(same.sqlType()).isEqualTo(number(steady));
        assertThat(same.sqlTypeOfNull()).isEqualTo(number(steady));
        assertThat(same.sqlTypeOfWide()).isEqualTo(number(steady));
        assertThat(same.isPlain()).isEqualTo(changing.isPlain());
    }

    @Test
    void allElseIsAskedOfTheOtherType() {
        List<String> ownAnswers = List.of("sqlTypeOfNull", "sqlTypeOfWide", "isWide");
        for (Method method : ColumnType.class.getDeclaredMethods()) {
            if (!Modifier.isFinal(method.getModifiers()) && !ownAnswers.contains(method.getName())) {
                assertThat(SteadyType.class.getDeclaredMethods())
                        .extracting(Method::getName)
                        .contains(method.getName());
            }
        }
    }

    @Test
    void valuesAreThoseOfTheOtherType() {
        ColumnTypes types = new ColumnTypes(ValueOptions.in(ZoneOffset.UTC).withSteadySqlTypes(true));
        TableMap map = new TableMap(
                1,
                "s",
                "t",
                new int[] {ColumnCode.JSON, ColumnCode.MARIADB_VARCHAR_COMPRESSED},
                new int[] {4, 50},
                null,
                null);
        ColumnType json = types.of(map, 0, new ColumnDeclaration("j", "json", false, null));
        ColumnType compressed = types.of(map, 1, new ColumnDeclaration("v", "varchar(49)", false, null));

        byte[] documents = HexFormat.of().parseHex("04000000" + "0ffe0161" + "04000000" + "0ffc0161"); // of other types
        assertThat(json.isSameValue(documents, 0, 8, 0, 8)).isTrue();
        assertThat(json.isSameValue(documents, 0, 8, 8, 8)).isFalse();
        byte[] packed = HexFormat.of().parseHex("05" + "810a" + "000000");
        assertThat(compressed.isCompressed()).isTrue();
        assertThat(compressed.unpackedBytes(packed, 0, packed.length)).isEqualTo(10);
    }

    private static int number(String name) throws Exception {
        return Types.class.getField(name).getInt(null);
    }
}
