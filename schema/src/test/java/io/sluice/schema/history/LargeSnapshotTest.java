package io.sluice.schema.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.ddl.catalog.SchemaState;
import io.sluice.schema.history.database.SqliteDatabase;
import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.schema.history.rows.HistoryTables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Snapshots that a larger heap has written, in a smaller one. Their columns have short names and types, so that they take many times as much as their text. */
class LargeSnapshotTest {
    private static final int COLUMNS = 100;
    private static final Pattern LIMIT = Pattern.compile("need about (\\d+) MiB of heap, and there are (\\d+) MiB");

    @TempDir
    private Path folder;

    /** The error names the heap that has room for it. */
    @Test
    void isTooLargeIfThereIsNoRoomForItsTablesAndForTheNextOne() throws Exception {
        write(4_000);
        String output = restore(64);

        assertThat(output)
                .startsWith("HISTORY_UNREACHABLE: the schema history " + folder)
                .contains("its tables need about ")
                .contains(
                        ": see that canal.instance.tsdb.url leads to the schema history that is meant; if it does, raise -Xmx to ");
        assertThat(restore(Integer.parseInt(output.replaceAll("(?s).*-Xmx to (\\d+)m", "$1"))))
                .isEqualTo("tables=4000");
    }

    @Test
    void whatIsRestoredIsWrittenAgain() throws Exception {
        write(10);
        assertThat(restore(64)).isEqualTo("tables=10");
    }

    /** As many tables as are restored at all. */
    @ParameterizedTest
    @ValueSource(ints = 64)
    void whatHasJustRoomIsWrittenAgain(int mebibytes) throws Exception {
        whatHasJustRoom(mebibytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {128, 256, 384})
    @Tag("thorough")
    void whatHasJustRoomInALargerHeapIsWrittenAgain(int mebibytes) throws Exception {
        whatHasJustRoom(mebibytes);
    }

    private void whatHasJustRoom(int mebibytes) throws Exception {
        int many = 100 * mebibytes;
        write(many);
        Matcher limit = LIMIT.matcher(restore(mebibytes));
        assertThat(limit.find()).isTrue();
        int most = (int) (many * Long.parseLong(limit.group(2)) / Long.parseLong(limit.group(1)));

        write(most);
        assertThat(restore(mebibytes)).isEqualTo("tables=" + most);
    }

    private void write(int tables) throws IOException {
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
    }

    private String restore(int mebibytes) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + mebibytes + "m",
                        "-XX:MaxNewSize=" + Math.min(160, mebibytes * 5 / 12) + "m", // as startup.sh has it
                        "-XX:+UseParallelGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LargeSnapshot.class.getName(),
                        folder.resolve("h2").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().reduce((one, last) -> last).orElse("").strip();
    }
}
