package io.sluice.stream.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.FullMetadata;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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
