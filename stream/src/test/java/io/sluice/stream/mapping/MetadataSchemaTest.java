package io.sluice.stream.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.FullMetadata;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetadataSchemaTest {
    private static final TableName NAME = new TableName("s", "t");

    @Test
    void takesSignsFromTheTableMap() {
        TableMap map = map(new boolean[] {true, false});

        assertThat(MetadataSchema.of(map, map.full(), null).columns())
                .extracting(ColumnSchema::mysqlType)
                .containsExactly("bigint unsigned", "year");
    }

    /** MySQL before 8.0.29 counts wrongly in a table with a YEAR, so its signs are not used. */
    @Test
    void takesSignsFromTheKnownSchemaIfTheTableMapHasNone() {
        TableMap map = map(null);
        TableSchema known = new TableSchema(
                NAME,
                List.of(
                        new ColumnSchema("n", "bigint(20) unsigned", false, true, null),
                        new ColumnSchema("before", "year(4)", false, false, null)),
                null);

        assertThat(MetadataSchema.of(map, map.full(), known).columns())
                .extracting(ColumnSchema::mysqlType)
                .containsExactly("bigint(20) unsigned", "year");
    }

    /** A known type of the same kind and another width tells the sign alone. */
    @Test
    void takesWidthsFromTheTableMap() {
        for (boolean[] unsigned : new boolean[][] {null, {true, false}}) {
            TableMap map = map(unsigned);
            TableSchema known = new TableSchema(
                    NAME,
                    List.of(
                            new ColumnSchema("n", "int unsigned", true, true, null),
                            new ColumnSchema("y", "year(4)", false, false, null)),
                    null);

            assertThat(MetadataSchema.agrees(map, map.full(), known)).isFalse();
            TableSchema corrected = MetadataSchema.of(map, map.full(), known);
            assertThat(corrected.columns())
                    .extracting(ColumnSchema::mysqlType)
                    .containsExactly("bigint unsigned", "year(4)");
            assertThat(MetadataSchema.agrees(map, map.full(), corrected)).isTrue();
        }
    }

    @Test
    void guessesNoSigns() {
        TableMap map = map(null);

        assertThat(MetadataSchema.of(map, map.full(), null)).isNull();
    }

    /** Lengths are in bytes there, and a byte tells how a compressed value is packed. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "15 | 80 | 45 | varchar(20)",
                "15 | 80 | 63 | varbinary(80)",
                "254 | 30 | 33 | char(10)",
                "254 | 30 | 63 | binary(30)",
                "141 | 41 | 8 | varchar(40)",
                "252 | 2 | 45 | text",
                "252 | 3 | 63 | mediumblob",
                "16 | 258 | 0 | bit(10)",
                "246 | 522 | 0 | decimal(10,2)",
                "18 | 3 | 0 | datetime(3)",
                "247 | 1 | 0 | enum('it''s','b')",
            })
    void namesTypesAsTheyAreDeclared(int code, int meta, int collation, String type) {
        List<String> members = code == ColumnCode.ENUM ? List.of("it's", "b") : null;
        FullMetadata full = new FullMetadata(
                List.of("c"), new boolean[] {false}, Collections.singletonList(members), new int[] {0});
        TableMap map = new TableMap(
                1,
                NAME.schema(),
                NAME.table(),
                new int[] {code},
                new int[] {meta},
                new boolean[] {false},
                new int[] {collation},
                full);

        assertThat(MetadataSchema.of(map, full, null).columns())
                .extracting(ColumnSchema::mysqlType)
                .containsExactly(type);
    }

    /** The key that the event names may be a unique one. */
    @Test
    void aTableThatIsKnownWithoutAPrimaryKeyHasNone() {
        TableMap map = map(new boolean[] {true, false});
        TableSchema known = new TableSchema(NAME, List.of(new ColumnSchema("n", "int", false, false, null)), null);

        assertThat(MetadataSchema.of(map, map.full(), known).columns())
                .extracting(ColumnSchema::primaryKey)
                .containsExactly(false, false);
        assertThat(MetadataSchema.of(map, map.full(), null).columns())
                .extracting(ColumnSchema::primaryKey)
                .containsExactly(true, false);
    }

    /** MariaDB adds the end of the system's period to keys, which no definition shows. */
    @Test
    void agreesThoughTheEndOfAPeriodIsInTheKey() {
        FullMetadata full =
                new FullMetadata(List.of("id", "e"), new boolean[] {true, true}, Arrays.asList(null, null), new int[2]);
        TableSchema known = new TableSchema(
                NAME,
                List.of(
                        new ColumnSchema("id", "int", true, false, null),
                        new ColumnSchema("e", "timestamp(6)", false, false, null)),
                null);
        TableMap map = new TableMap(
                1,
                NAME.schema(),
                NAME.table(),
                new int[] {ColumnCode.LONG, ColumnCode.TIMESTAMP2},
                new int[] {0, 6},
                new boolean[2],
                null,
                full);

        assertThat(MetadataSchema.agrees(map, full, known)).isTrue();
    }

    private static TableMap map(boolean @Nullable [] unsigned) {
        FullMetadata full =
                new FullMetadata(List.of("n", "y"), new boolean[] {true, false}, Arrays.asList(null, null), new int[2]);
        return new TableMap(
                1,
                NAME.schema(),
                NAME.table(),
                new int[] {ColumnCode.LONGLONG, ColumnCode.YEAR},
                new int[2],
                unsigned,
                null,
                full);
    }
}
