package io.sluice.stream.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WidthFitTest {
    private static final int UTF8MB4_0900_AI_CI = 255;
    private static final int UTF8MB3_GENERAL_CI = 33;
    private static final int LATIN1_SWEDISH_CI = 8;

    private static final Map<String, Integer> CODES = Map.ofEntries(
            Map.entry("TINY", ColumnCode.TINY),
            Map.entry("LONG", ColumnCode.LONG),
            Map.entry("LONGLONG", ColumnCode.LONGLONG),
            Map.entry("FLOAT", ColumnCode.FLOAT),
            Map.entry("DOUBLE", ColumnCode.DOUBLE),
            Map.entry("NEWDECIMAL", ColumnCode.NEWDECIMAL),
            Map.entry("BIT", ColumnCode.BIT),
            Map.entry("YEAR", ColumnCode.YEAR),
            Map.entry("DATE", ColumnCode.DATE),
            Map.entry("DATETIME", ColumnCode.DATETIME),
            Map.entry("DATETIME2", ColumnCode.DATETIME2),
            Map.entry("TIMESTAMP2", ColumnCode.TIMESTAMP2),
            Map.entry("STRING", ColumnCode.STRING),
            Map.entry("VARCHAR", ColumnCode.VARCHAR),
            Map.entry("VAR_STRING", ColumnCode.VAR_STRING),
            Map.entry("COMPRESSED", ColumnCode.MARIADB_VARCHAR_COMPRESSED),
            Map.entry("BLOB", ColumnCode.BLOB),
            Map.entry("JSON", ColumnCode.JSON),
            Map.entry("ENUM", ColumnCode.ENUM),
            Map.entry("SET", ColumnCode.SET));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "varchar(20)  | utf8mb4 | VARCHAR 80",
                "varchar(20)  | utf8    | VARCHAR 60",
                "varchar(20)  | utf8    | VARCHAR 80", // MariaDB without UTF8_IS_UTF8MB3 in old_mode
                "VARCHAR(20)  | latin1  | VARCHAR 20",
                "varchar(20)  |         | VARCHAR 60",
                "varchar(0)   | utf8mb4 | VARCHAR 0",
                "varchar(0)   |         | VARCHAR 0",
                "varchar(20)  | utf8mb4 | COMPRESSED 81",
                "varchar(20)  | utf8mb4 | VAR_STRING 7",
                "varchar(30000) | utf8mb4 | BLOB 3",
                "char(255)    | utf8mb4 | STRING 1020",
                "char         | gbk     | STRING 2",
                "binary(16)   |         | STRING 16",
                "varbinary(9) |         | VARCHAR 9",
                "char(9) byte | binary  | STRING 9",
                "national varchar(5) | utf8mb3 | VARCHAR 15",
                "int(11)      |         | LONG 0",
                "BOOL         |         | TINY 0",
                "serial       |         | LONGLONG 0",
                "decimal      |         | NEWDECIMAL 10",
                "DEC(5)       |         | NEWDECIMAL 5",
                "numeric(12,2) |        | NEWDECIMAL 524",
                "decimal(12, 2) unsigned | | NEWDECIMAL 524",
                "number       |         | NEWDECIMAL 7178", // 38 digits, 28 of them a fraction
                "float        |         | FLOAT 4",
                "float(30)    |         | DOUBLE 8",
                "real         |         | DOUBLE 8",
                "double(7,3)  |         | DOUBLE 8",
                "bit          |         | BIT 1",
                "bit          |         | BIT 256",
                "bit(11)      |         | BIT 259",
                "bit(11)      |         | BIT 512",
                "year(4)      |         | YEAR 0",
                "date         |         | DATE 0",
                "date         |         | DATETIME2 0", // the mode ORACLE
                "datetime(3)  |         | DATETIME2 3",
                "datetime(3)  |         | DATETIME 0", // mysql56_temporal_format=OFF
                "timestamp    |         | TIMESTAMP2 0",
                "text         | utf8mb4 | BLOB 2",
                "text(30)     | utf8mb4 | BLOB 1",
                "long varchar | utf8mb4 | BLOB 3",
                "longblob     |         | BLOB 4",
                "json         | utf8mb4 | JSON 4",
                "json         | utf8mb4 | BLOB 4",
                "enum('a','b''c') |     | ENUM 1",
                "enum         |         | ENUM 2",
                "set('a','b') |         | SET 1",
                "point        |         | BLOB 4",
                "newtype(7)   |         | VARCHAR 3",
            })
    void fitsHoweverAServerStoresIt(String type, String charset, String stored) {
        assertThat(fits(type, charset, stored)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "varchar(20)  | utf8mb4 | VARCHAR 120",
                "varchar(20)  |         | VARCHAR 30",
                "varchar(20)  |         | VARCHAR 100",
                "varchar(0)   |         | VARCHAR 4",
                "varchar(20)  | utf8mb4 | STRING 80",
                "varchar(20)  | utf8mb4 | BLOB 2",
                "varchar(20)  | utf8mb4 | COMPRESSED 82",
                "char(20)     | utf8mb4 | VARCHAR 80",
                "char(20)     | latin1  | STRING 21",
                "binary(16)   |         | STRING 17",
                "int          |         | LONGLONG 0",
                "boolean      |         | LONG 0",
                "decimal(12,2) |        | NEWDECIMAL 780",
                "decimal(12,2) |        | NEWDECIMAL 522",
                "float        |         | DOUBLE 8",
                "float(30,3)  |         | DOUBLE 8",
                "double       |         | FLOAT 4",
                "bit(11)      |         | BIT 258",
                "year         |         | DATE 0",
                "datetime     |         | TIMESTAMP2 0",
                "datetime(3)  |         | DATETIME2 6",
                "timestamp    |         | TIMESTAMP2 6",
                "text         | utf8mb4 | BLOB 3",
                "mediumblob   |         | BLOB 2",
                "json         | utf8mb4 | BLOB 2",
                "set('a','b') |         | SET 2",
                "enum('a')    |         | ENUM 2",
            })
    void doesNotFitAnotherWidth(String type, String charset, String stored) {
        assertThat(fits(type, charset, stored)).isFalse();
    }

    @Test
    void enumsOfMoreThan255MembersTakeTwoBytes() {
        StringBuilder members = new StringBuilder("enum('0'");
        for (int i = 1; i < 256; i++) {
            members.append(",'").append(i).append('\'');
        }

        assertThat(fits(members + ")", null, "ENUM 2")).isTrue();
        assertThat(fits(members + ")", null, "ENUM 1")).isFalse();
    }

    @Test
    void setsOfMoreThan32MembersTakeEightBytes() {
        StringBuilder members = new StringBuilder("set('0'");
        for (int i = 1; i < 33; i++) {
            members.append(",'").append(i).append('\'');
        }

        assertThat(fits(members + ")", null, "SET 8")).isTrue();
        assertThat(fits(members + ")", null, "SET 5")).isFalse();
        assertThat(fits(members.substring(0, members.lastIndexOf(",")) + ")", null, "SET 4"))
                .isTrue();
    }

    @Test
    void comparesSignsAndCharacterSetsThatTheTableMapStates() {
        ColumnSchema number = new ColumnSchema("c", "int unsigned", false, true, null);
        assertThat(fits(number, ColumnCode.LONG, 0, true, 0)).isTrue();
        assertThat(fits(number, ColumnCode.LONG, 0, false, 0)).isFalse();

        ColumnSchema text = new ColumnSchema("c", "varchar(5)", false, false, "utf8");
        assertThat(fits(text, ColumnCode.VARCHAR, 15, false, UTF8MB3_GENERAL_CI))
                .isTrue();
        assertThat(fits(text, ColumnCode.VARCHAR, 20, false, UTF8MB4_0900_AI_CI))
                .isTrue();
        assertThat(fits(text.with("c", false), ColumnCode.VARCHAR, 15, false, LATIN1_SWEDISH_CI))
                .isFalse();

        ColumnSchema bytes = new ColumnSchema("c", "blob", false, false, null);
        assertThat(fits(bytes, ColumnCode.BLOB, 2, false, 63)).isTrue();
        assertThat(fits(bytes, ColumnCode.BLOB, 2, false, LATIN1_SWEDISH_CI)).isFalse();
    }

    private static boolean fits(String type, String charset, String stored) {
        String[] parts = stored.split(" ");
        ColumnSchema column =
                new ColumnSchema("c", type, false, type.toUpperCase(Locale.ROOT).contains("SERIAL"), charset);
        return WidthFit.firstMismatch(
                        new TableMap(
                                1,
                                "s",
                                "t",
                                new int[] {CODES.get(parts[0])},
                                new int[] {Integer.parseInt(parts[1])},
                                null,
                                null),
                        table(column))
                < 0;
    }

    private static boolean fits(ColumnSchema column, int code, int meta, boolean isUnsigned, int collation) {
        TableMap map = new TableMap(
                1, "s", "t", new int[] {code}, new int[] {meta}, new boolean[] {isUnsigned}, new int[] {collation});
        return WidthFit.firstMismatch(map, table(column)) < 0;
    }

    private static TableSchema table(ColumnSchema column) {
        return new TableSchema(new TableName("s", "t"), List.of(column), null);
    }
}
