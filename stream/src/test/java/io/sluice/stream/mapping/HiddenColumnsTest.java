package io.sluice.stream.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.util.List;
import org.junit.jupiter.api.Test;

class HiddenColumnsTest {
    private static final ColumnSchema A = new ColumnSchema("a", "int", false, false, null);
    private static final ColumnSchema KEY = new ColumnSchema("k", "int", true, false, null);

    private static TableSchema table(ColumnSchema... columns) {
        return new TableSchema(new TableName("shop", "t"), List.of(columns), null);
    }

    private static TableMap map(int... types) {
        return new TableMap(1, "shop", "t", types, new int[types.length], null, null);
    }

    @Test
    void giveTheRowIdOfATableWithoutAKeyItsName() {
        TableMap map = map(ColumnCode.LONG, ColumnCode.LONGLONG);

        assertThat(HiddenColumns.RDS_ROW_ID.beyond(map, table(A)))
                .containsExactly(new ColumnSchema("__#alibaba_rds_row_id#__", "bigint", true, false, null));
        assertThat(HiddenColumns.POLARDB_ROW_ID.beyond(map, table(A)))
                .containsExactly(new ColumnSchema("_drds_implicit_id_", "bigint", true, false, null));
        assertThat(HiddenColumns.NONE.beyond(map, table(A))).isNull();
    }

    @Test
    void areNotExpectedWhereTheServerAddsNone() {
        TableMap oneMore = map(ColumnCode.LONG, ColumnCode.LONGLONG);

        assertThat(HiddenColumns.RDS_ROW_ID.beyond(oneMore, table(KEY))).isNull();
        assertThat(HiddenColumns.RDS_ROW_ID.beyond(map(ColumnCode.LONG, ColumnCode.LONG), table(A)))
                .isNull();
        assertThat(HiddenColumns.RDS_ROW_ID.beyond(
                        map(ColumnCode.LONG, ColumnCode.LONGLONG, ColumnCode.LONGLONG), table(A)))
                .isNull();
        assertThat(HiddenColumns.RDS_ROW_ID.beyond(map(ColumnCode.LONG), table(A)))
                .isNull();
    }

    @Test
    void keepTheHashesOfUniqueKeysToThemselves() {
        TableMap map = map(ColumnCode.LONG, ColumnCode.LONGLONG, ColumnCode.LONGLONG);

        assertThat(HiddenColumns.MARIADB_HASHES.beyond(map, table(KEY)))
                .extracting(ColumnSchema::name)
                .containsExactly("DB_ROW_HASH_1", "DB_ROW_HASH_2");
        assertThat(HiddenColumns.MARIADB_HASHES.areDelivered()).isFalse();
    }
}
