package io.sluice.schema.history.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.history.database.HistoryDatabase;
import io.sluice.schema.history.database.SqliteDatabase;
import io.sluice.schema.history.rows.HistoryRow;
import io.sluice.schema.history.rows.HistoryTables;
import io.sluice.schema.history.rows.SkippedPart;
import io.sluice.schema.sql.SqlMode;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of which some are so large that few of them may be in memory at once. */
class RowPagesTest {
    private static final long MILLIS = 1_700_000_000_000L;
    private static final int ROWS = 40;

    @TempDir
    private Path folder;

    private SqliteDatabase database;
    private final List<Integer> asked = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        database = SqliteDatabase.open(folder.resolve("h.sqlite"));
        new HistoryTables(database, "shop").create();
        for (int id = 1; id <= ROWS; id++) {
            database.update(
                    "insert into meta_history (id, gmt_create, gmt_modified, destination, binlog_file, binlog_offest, binlog_master_id,"
                            + " binlog_timestamp, use_schema, sql_text, extra) values (?, 0, 0, 'shop', 'binlog.000001', ?, '1', ?, 'shop', ?, '{}')",
                    id,
                    100 * id,
                    MILLIS,
                    sql(id));
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static String sql(int id) {
        return "alter table t add c%d int".formatted(id);
    }

    /** A database that fails if it is asked for more than a number of rows with their texts, of which one is among the first ten. */
    private HistoryTables withAtMost(int most) {
        return new HistoryTables(
                (HistoryDatabase) Proxy.newProxyInstance(
                        RowPagesTest.class.getClassLoader(),
                        new Class<?>[] {HistoryDatabase.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("query") && ((String) arguments[0]).contains("sql_text")) {
                                Object[] values = (Object[]) arguments[1];
                                int limit = (int) values[values.length - 1];
                                asked.add(limit);
                                if (limit > most && (long) values[1] < 10) {
                                    throw new SourceException(
                                            SourceFailure.HISTORY_UNREACHABLE,
                                            "too large",
                                            "raise the heap",
                                            new ResultTooLargeException("too large", "raise the heap"));
                                }
                            }
                            return method.invoke(database, arguments);
                        }),
                "shop");
    }

    @Test
    void becomeSmallerAndGrowAgain() throws IOException {
        RowPages pages = new RowPages(withAtMost(5), 16, 1);
        List<Long> read = new ArrayList<>();
        for (List<HistoryRow> rows = pages.read(0, Long.MAX_VALUE); !rows.isEmpty(); ) {
            rows.forEach(row -> read.add(row.id()));
            rows = pages.read(read.get(read.size() - 1), Long.MAX_VALUE);
        }

        assertThat(read).hasSize(ROWS).isSorted().doesNotHaveDuplicates();
        assertThat(asked).startsWith(16, 8, 4, 8, 4, 8, 4).endsWith(8, 16, 16, 16);
    }

    @Test
    void aSingleRowThatIsTooLargeIsAFailure() {
        RowPages pages = new RowPages(withAtMost(0), 16, 1);

        assertThatThrownBy(() -> pages.read(0, Long.MAX_VALUE))
                .isInstanceOf(SourceException.class)
                .hasMessage("too large");
    }

    @Test
    void recordedStatementsAreReadInSmallerPages() throws IOException {
        RecordedStatements recorded = RecordedStatements.after(SkippedPart.NONE, MILLIS, withAtMost(5));

        EventPosition at = new EventPosition("other.000001", 4, 1, 1, MILLIS, null);
        for (int id = 1; id <= ROWS; id++) {
            assertThat(recorded.has(at, new SchemaRecorder.Ddl(sql(id), "shop", SqlMode.DEFAULT, List.of())))
                    .as(sql(id))
                    .isTrue();
        }
    }
}
