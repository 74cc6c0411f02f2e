package io.sluice.schema.history.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.catalog.SchemaState;
import io.sluice.schema.history.LargeHistory;
import io.sluice.schema.history.database.HistoryDatabase;
import io.sluice.schema.history.database.SqliteDatabase;
import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.schema.history.rows.HistorySnapshot;
import io.sluice.schema.history.rows.HistoryTables;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How far a history of months reaches. */
class RecordedDdlTest {
    private static final int ROWS = 20_000;
    private static final String OTHER = "other";

    @TempDir
    private Path folder;

    private SqliteDatabase database;
    private HistoryTables tables;
    private RecordedDdl recorded;
    private long read;

    @BeforeEach
    void open() throws Exception {
        Path path = folder.resolve("h2");
        LargeHistory.write(path, ROWS);
        database = SqliteDatabase.open(folder.resolve("h2.sqlite"));
        tables = new HistoryTables(counting(database), "shop");
        tables.create();
        recorded = new RecordedDdl(tables, Time.SYSTEM);
        read = 0;
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** Counts the rows that are read from a database. */
    private HistoryDatabase counting(HistoryDatabase counted) {
        return (HistoryDatabase) Proxy.newProxyInstance(
                HistoryDatabase.class.getClassLoader(),
                new Class<?>[] {HistoryDatabase.class},
                (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(counted, arguments);
                        read += result instanceof List<?> rows ? rows.size() : 0;
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void whetherItContinuesInAnotherBinlogIsKnownByItsNewestRow() throws Exception {
        assertThat(recorded.continuesElsewhere(LargeHistory.SOURCE, 0, 0)).isFalse();
        assertThat(recorded.continuesElsewhere(OTHER, 0, 0)).isTrue();
        assertThat(recorded.continuesElsewhere(OTHER, 0, ROWS / 2)).isTrue();
        assertThat(recorded.continuesElsewhere(OTHER, 0, ROWS + 1)).isFalse();

        assertThat(read).isLessThan(ROWS / 4);
    }

    @Test
    void whatWasReadBeforeABeginningIsKnownByTheNewestRowsBeforeIt() throws Exception {
        long id = tables.snapshots()
                .add(
                        new HistoryPosition(LargeHistory.SOURCE, "binlog.000002", 4, "1", LargeHistory.TIME + 1, ""),
                        null,
                        true,
                        new SchemaState(Map.of(), Map.of()));
        HistorySnapshot beginning = tables.snapshots().all().stream()
                .filter(snapshot -> snapshot.id() == id)
                .findFirst()
                .orElseThrow();
        read = 0;

        HistoryEnd end = new HistoryBeginnings(tables, recorded).endBefore(beginning);

        assertThat(end).isNotNull();
        assertThat(end.offset()).isEqualTo(1000L * ROWS);
        assertThat(read).isLessThan(ROWS / 4);
    }
}
