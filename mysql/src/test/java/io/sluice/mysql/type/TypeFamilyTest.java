package io.sluice.mysql.type;

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
        assertThat(TypeFamily.of("TEXT(9)").isText("gbk")).isTrue();
        assertThat(TypeFamily.of("TEXT").isText(null)).isTrue();
        assertThat(TypeFamily.of("TEXT").isText("binary")).isFalse();
        assertThat(TypeFamily.of("VARBINARY(9)").isText(null)).isFalse();
    }
}
