package io.sluice.schema.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.ddl.catalog.SchemaState;
import io.sluice.schema.history.database.SqliteDatabase;
import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.schema.history.rows.HistoryTables;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A snapshot whose text has room in a heap of 64 MiB. Its columns have short names and types, so that they take many times as much. */
class LargeSnapshotTest {
    private static final int COLUMNS = 100;

    @TempDir
    private Path folder;

    @Test
    void isTooLargeIfItsTablesHaveNoRoomBesideIt() throws Exception {
        assertThat(restore(8_000))
                .startsWith("HISTORY_UNREACHABLE: a snapshot of the schema history " + folder)
                .contains("its text and its tables exceeds the limit of")
                .endsWith("raise -Xmx");
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 1_800})
    void isRestoredIfTheyHave(int tables) throws Exception {
        assertThat(restore(tables)).isEqualTo("tables=" + tables);
    }

    private String restore(int tables) throws Exception {
        Path path = folder.resolve("h2");
        String columns =
                IntStream.range(0, COLUMNS).mapToObj(i -> "c" + i + " int").collect(Collectors.joining(","));
        StringBuilder definitions = new StringBuilder();
        for (int table = 0; table < tables; table++) {
            definitions
                    .append("create table t")
                    .append(table)
                    .append(" (")
                    .append(columns)
                    .append(");\n");
        }
        try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("h2.sqlite"))) {
            HistoryTables rows = new HistoryTables(database, "shop");
            rows.create();
            HistoryPosition position = new HistoryPosition(
                    LargeHistory.SOURCE, LargeHistory.FILE, 1_000, "1", LargeHistory.TIME + 1_000, "");
            rows.snapshots()
                    .add(position, null, true, new SchemaState(Map.of("shop", definitions.toString()), Map.of()));
        }
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LargeSnapshot.class.getName(),
                        path.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().reduce((one, last) -> last).orElse("").strip();
    }
}
