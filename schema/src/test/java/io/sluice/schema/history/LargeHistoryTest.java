package io.sluice.schema.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A history of 100,000 rows, which would take 100 MB as objects, is restored by a process with a heap of 64 MiB. {@code
 * -Dsluice.rows} sets another number, with a heap that grows likewise.
 */
@Tag("thorough")
class LargeHistoryTest {
    private static final long ROWS = Long.getLong("sluice.rows", 100_000);

    @TempDir
    private Path folder;

    @Test
    void restoresAnyPositionInASmallHeap() throws Exception {
        Path path = folder.resolve("h2");
        LargeHistory.write(path, ROWS);
        LargeHistory.writeSnapshot(path, ROWS - 19_000);
        long newest = 1000 * ROWS + 1; // the tables have got a column in the last turn
        long afterTheTablesWereCreated = 1000L * 1_000 + 1;

        assertThat(restore(path, newest)).as("from the snapshot").startsWith("columns=3 ");
        assertThat(restore(path, afterTheTablesWereCreated))
                .as("nearly all rows are to come")
                .startsWith("columns=2 ");
    }

    private static String restore(Path path, long offset) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + Math.max(64, ROWS / 4_000) + "m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LargeHistory.class.getName(),
                        path.toString(),
                        Long.toString(offset),
                        "t1")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        System.err.println(output);
        return output.lines()
                .filter(line -> line.startsWith("columns="))
                .findFirst()
                .orElse(output);
    }
}
