package io.sluice.parse.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypeFamilyTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "int(11) unsigned | INTEGER",
                "BOOL | INTEGER",
                "SERIAL | INTEGER",
                "MIDDLEINT | INTEGER",
                "Dec(5,2) | DECIMAL",
                "FIXED | DECIMAL",
                "Double Precision | FLOAT",
                "double(30) | FLOAT",
                "YEAR(4) | TEMPORAL",
                "NATIONAL VARCHAR(7) | CHAR",
                "CHARACTER VARYING(9) | CHAR",
                "nvarchar(3) | CHAR",
                "CHAR(10) BYTE | BINARY",
                "VARBINARY(3) | BINARY",
                "TEXT(100) | TEXT",
                "LONG | TEXT",
                "Long Varchar | TEXT",
                "LONG VARBINARY | BLOB",
                "LONGBLOB | BLOB",
                "enum('binary') | ENUM",
                "set('text') | SET",
                "geomcollection | GEOMETRY",
                "json | JSON",
                "VECTOR(3) | VECTOR",
                "uuid | UUID",
                "Inet4 | INET4",
                "INET6 | INET6",
                "XMLTYPE | OTHER",
                "'' | OTHER",
            })
    void understandsEverySpelling(String type, TypeFamily family) {
        assertThat(TypeFamily.of(type)).isEqualTo(family);
    }

    @Test
    void takesTextInTheBinaryCharsetForBytes() {
        assertThat(new ColumnSchema("a", "TEXT(9)", false, false, "gbk").isText())
                .isTrue();
        assertThat(new ColumnSchema("a", "TEXT", false, false, null).isText()).isTrue();
        assertThat(new ColumnSchema("a", "TEXT", false, false, "binary").isText())
                .isFalse();
        assertThat(new ColumnSchema("a", "VARBINARY(9)", false, false, null).isText())
                .isFalse();
    }
}
