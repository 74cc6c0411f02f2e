package io.sluice.schema.history.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.sluice.protocol.entry.EventType;
import io.sluice.schema.canal.StatementChange;
import io.sluice.schema.ddl.catalog.BinlogSession;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.ddl.catalog.TemporaryUse;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.table.TableName;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HistoryRowTest {
    private static final HistoryPosition POSITION =
            new HistoryPosition("uuid", "binlog.000007", 1_000, "1", 1_700_000_000_000L, "uuid:5", 3, 1_600_000_000);

    private static HistoryRow row(HistoryPosition position, TemporaryUse use, @Nullable String charset) {
        List<StatementChange> changes = List.of(
                StatementChange.ofTable(EventType.ALTER, new TableName("shop", "t")),
                StatementChange.ofTable(EventType.ALTER, new TableName("shop", "u")));
        return HistoryRow.ofStatement(
                position,
                90,
                new SchemaRecorder.Ddl("ALTER ..", "other", SqlMode.DEFAULT, changes, use, 17, charset, false));
    }

    @Test
    void theRowOfAStatementHasItsFirstTableAndItsSession() {
        HistoryRow row = row(POSITION, TemporaryUse.POSSIBLE, "gbk");

        assertThat(row.useSchema()).isEqualTo("other");
        assertThat(row.sqlSchema()).isEqualTo("shop");
        assertThat(row.sqlTable()).isEqualTo("t");
        assertThat(row.text()).isEqualTo("ALTER ..");
        assertThat(row.type()).isEqualTo("ALTER");
        assertThat(row.isDefinition()).isFalse();
        assertThat(row.mode()).isEqualTo(SqlMode.DEFAULT);
        assertThat(row.temporaryUse()).isEqualTo(TemporaryUse.POSSIBLE);
        assertThat(row.session()).isEqualTo(17);
        assertThat(row.charset()).isEqualTo("gbk");
        assertThat(row.end()).hasValue(1_090);
        assertThat(row.extra())
                .contains(
                        entry("source", "uuid"),
                        entry("epoch", "3"),
                        entry("gtid", "uuid:5"),
                        entry("begun", "1600000000"));
    }

    @Test
    void whatIsNotKnownIsNotInARow() {
        HistoryPosition position = new HistoryPosition("uuid", "binlog.000007", 1_000, "1", 0, "");

        HistoryRow row = row(position, TemporaryUse.NONE, null);

        assertThat(row.extra()).doesNotContainKeys("epoch", "gtid", "begun", "temporary", "session", "charset");
        assertThat(row.extra()).doesNotContainValue("");
        assertThat(row.session()).isEqualTo(BinlogSession.NO_ID);
    }

    @Test
    void theRowOfAStatementWithoutATableHasTheTypeQuery() {
        HistoryRow row =
                HistoryRow.ofStatement(POSITION, 90, new SchemaRecorder.Ddl("..", "shop", SqlMode.DEFAULT, List.of()));

        assertThat(row.type()).isEqualTo("QUERY");
        assertThat(row.sqlSchema()).isEmpty();
        assertThat(row.sqlTable()).isEmpty();
    }

    @Test
    void theRowOfADefinitionHasItsTable() {
        HistoryRow row =
                HistoryRow.ofDefinition(POSITION, 90, new TableName("shop", "t"), "CREATE TABLE `t` (`a` int)");

        assertThat(row.isDefinition()).isTrue();
        assertThat(row.useSchema()).isEqualTo("shop");
        assertThat(row.sqlSchema()).isEqualTo("shop");
        assertThat(row.sqlTable()).isEqualTo("t");
        assertThat(row.type()).isEqualTo("CREATE");
        assertThat(row.end()).hasValue(1_090);
        assertThat(row.extra()).containsOnlyKeys("kind", "source", "epoch", "end", "gtid", "begun");
    }
}
