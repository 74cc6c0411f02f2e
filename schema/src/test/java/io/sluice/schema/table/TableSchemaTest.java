package io.sluice.schema.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableSchemaTest {
    private static final TableName T = new TableName("shop", "t");

    /** A column of the same table in two definitions: what is known of both has to be the same, but for the spelling. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            nullValues = "-",
            value = {
                "a | int | false | - | A | INT(11) | false | - | true",
                "a | int | false | - | b | int | false | - | false",
                "a | int | false | - | a | int | true | - | false",
                "a | int | false | - | a | int unsigned | false | - | false",
                "a | enum('x','y') | false | - | a | ENUM('x','y') | false | - | true",
                "a | enum('x','y') | false | - | a | enum('y','x') | false | - | false",
                "a | text | false | utf8mb4 | a | text | false | latin1 | false",
                "a | text | false | utf8mb4 | a | text | false | - | true",
                "a | text | false | utf8mb4 | a | text | false | unknown | true",
                "a | text | false | utf8mb3 | a | text | false | utf8 | true",
            })
    void agreesInNamesKeyAndValues(
            String name,
            String type,
            boolean key,
            @Nullable String charset,
            String otherName,
            String otherType,
            boolean otherKey,
            @Nullable String otherCharset,
            boolean agrees) {
        TableSchema one = table(column(name, type, key, charset));
        TableSchema other = table(column(otherName, otherType, otherKey, otherCharset));

        assertThat(one.agreesWith(other)).isEqualTo(agrees);
        assertThat(other.agreesWith(one)).isEqualTo(agrees);
    }

    @Test
    void doesNotAgreeWithMoreColumns() {
        ColumnSchema column = column("a", "int", false, null);

        assertThat(table(column).agreesWith(table(column, column("b", "int", false, null))))
                .isFalse();
    }

    /** An ordinary column may have such a name. */
    @ParameterizedTest
    @CsvSource({
        "!hidden!i!0!0, true, true",
        "0123456789abcdef0123456789abcdef, true, true",
        "0123456789abcdef0123456789abcdef, false, false",
        "v, true, false",
    })
    void columnsOfIndexesOnExpressionsAreVirtual(String name, boolean isVirtual, boolean isOfIndex) {
        assertThat(new StoredColumn(name, "json", isVirtual).isOfIndex()).isEqualTo(isOfIndex);
    }

    private static ColumnSchema column(String name, String type, boolean key, @Nullable String charset) {
        return new ColumnSchema(name, type, key, type.endsWith("unsigned"), charset);
    }

    private static TableSchema table(ColumnSchema... columns) {
        return new TableSchema(T, List.of(columns), null);
    }
}
