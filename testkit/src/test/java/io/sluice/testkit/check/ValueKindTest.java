package io.sluice.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValueKindTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "decimal(10,2)     | 1.00        | 1.0",
                "DECIMAL           | 0           | 0.000",
                "float             | 1.1         | 1.10000002",
                "double            | 1e7         | 1.0E7",
                "FLOAT(53)         | 0.1         | 1e-1",
                "json              | {\"a\": 1, \"b\": [1.0]} | {\"b\":[1],\"a\":1}",
                "json              | 1e20        | 1.0E20",
                "int(5) zerofill   | 00042       | 42",
                "json              | \"é\"       | \"\\u00e9\"",
            })
    void textsOfOneValueAreEqual(String type, String one, String other) {
        ValueKind kind = ValueKind.of(type);

        assertThat(kind.canonical(one)).isEqualTo(kind.canonical(other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "decimal(10,2)     | 1.00        | 1.01",
                "decimal(65,30)    | 99999999999999999999.000000000000000000000000000001 | 99999999999999999999",
                "float             | 1.1         | 1.2",
                "double            | 1.1         | 1.1000000000000003",
                "FLOAT(53)         | 1.1         | 1.10000002",
                "int               | 42          | 042",
                "bigint unsigned   | 18446744073709551615 | 18446744073709551614",
                "datetime(3)       | 2024-01-01 00:00:00.100 | 2024-01-01 00:00:00.1",
                "varchar(5)        | a           | A",
                "json              | {\"a\": 1}  | {\"a\": \"1\"}",
                "json              | [1, 2]      | [2, 1]",
                "json              | 9007199254740993 | 9007199254740992",
                "json              | null        | \"null\"",
                "json              | {\"a\": 1}  | {\"a\": 1}}",
                "enum('a','b')     | 1           | a",
            })
    void textsOfDifferentValuesAreNot(String type, String one, String other) {
        ValueKind kind = ValueKind.of(type);

        assertThat(kind.canonical(one)).isNotEqualTo(kind.canonical(other));
    }

    @ParameterizedTest
    @CsvSource({
        "INT(10) unsigned, INTEGER",
        "SERIAL, INTEGER",
        "NUMERIC(5), DECIMAL",
        "DOUBLE PRECISION, DOUBLE",
        "float unsigned, FLOAT",
        "CHAR(4) BYTE, FIXED_BYTES",
        "NATIONAL VARCHAR(3), TEXT",
        "TEXT(100), TEXT",
        "longblob, BYTES",
        "POINT, GEOMETRY",
        "timestamp(6), TEMPORAL",
    })
    void readsATypeHoweverItIsSpelled(String type, ValueKind kind) {
        assertThat(ValueKind.of(type)).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({"binary(4), true", "CHAR(4) BYTE, true", "varbinary(4), false", "blob, false", "char(4), false"})
    void onlyFixedBytesLoseTheirZerosInTheBinlog(String type, boolean lost) {
        ValueKind kind = ValueKind.of(type);

        assertThat(FixedBytes.STRIPPED.of(kind, "\0a\0\0")).isEqualTo(lost ? "\0a" : "\0a\0\0");
        assertThat(FixedBytes.EXACT.of(kind, "\0a\0\0")).isEqualTo("\0a\0\0");
        assertThat(kind.canonical("a\0\0")).isNotEqualTo(kind.canonical("a"));
    }
}
