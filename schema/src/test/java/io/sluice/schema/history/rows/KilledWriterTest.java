package io.sluice.schema.history.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.history.database.SqliteDatabase;
import io.sluice.testkit.junit.Seeded;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that writes to a history is killed at random moments: what it had confirmed is there, in order and undamaged, and what it had
 * begun is there as a whole or not at all. {@code -Dsluice.kills=2000} kills it more often.
 */
class KilledWriterTest {
    private static final int KILLS = Integer.getInteger("sluice.kills", 6);
    private static final int STEPS_BEFORE_A_KILL = 150;
    private static final int MILLIS_BEFORE_AN_EARLY_KILL = 700;
    private static final String CONFIRMED = "done ";

    @TempDir
    private Path folder;

    @Test
    void nothingThatWasConfirmedIsLost(@Seeded long seed) throws Exception {
        Random random = new Random(seed);
        HistoryWorkload workload = new HistoryWorkload(seed);
        Files.createDirectory(folder.resolve("tmp"));
        long done = -1;
        long unconfirmedButThere = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            boolean isLast = kill == KILLS - 1; // which confirms some steps, also if all before were killed early
            long confirmed = runAndKill(seed, done, isLast, random);
            List<String> actual = contentOfCopy();
            Long step = HistoryWorkload.stepOf(workload, actual, confirmed);
            assertThat(step)
                    .as(
                            "kill %d: confirmed up to step %d, and the history holds %s",
                            kill, confirmed, shortened(actual))
                    .isNotNull();
            done = step;
            unconfirmedButThere += step - confirmed;
        }
        System.err.printf(
                "%d kills, %d steps confirmed and found, %d unconfirmed steps found as a whole%n",
                KILLS, done + 1, unconfirmedButThere);
        assertThat(done).isPositive();
    }

    private Path file() {
        return folder.resolve("h.sqlite");
    }

    /** The last step that was confirmed. */
    private long runAndKill(long seed, long done, boolean isLast, Random random) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.io.tmpdir=" + folder.resolve("tmp"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        WriterProgram.class.getName(),
                        file().toString(),
                        Long.toString(seed),
                        Long.toString(done + 1),
                        Long.toString(Long.MAX_VALUE))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
            long confirmed = done;
            if (random.nextInt(5) == 0 && !isLast) { // perhaps while it opens the file
                CompletableFuture.delayedExecutor(random.nextInt(MILLIS_BEFORE_AN_EARLY_KILL), TimeUnit.MILLISECONDS)
                        .execute(() -> process.toHandle().destroyForcibly());
            } else {
                long last = done + 2 + random.nextInt(STEPS_BEFORE_A_KILL);
                while (confirmed < last) {
                    confirmed = confirmed(lines.readLine(), confirmed);
                }
                LockSupport.parkNanos(random.nextInt(3_000_000)); // any moment of the next steps
                process.toHandle().destroyForcibly(); // SIGKILL, and the rest of its output can still be read
            }
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                confirmed = confirmed(line, confirmed);
            }
            return confirmed;
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }
    }

    private static long confirmed(String line, long before) {
        assertThat(line).as("the writer ended by itself after step %d", before).isNotNull();
        return line.startsWith(CONFIRMED) ? Long.parseLong(line.substring(CONFIRMED.length())) : before;
    }

    /** Of a copy, so that the next writer has to recover the original. */
    private List<String> contentOfCopy() throws IOException {
        Path copy = Files.createDirectories(folder.resolve("copy")).resolve("h.sqlite");
        for (String suffix : new String[] {"", "-wal", "-journal"}) {
            Path target = copy.resolveSibling(copy.getFileName() + suffix);
            Files.deleteIfExists(target);
            Path original = file().resolveSibling(file().getFileName() + suffix);
            if (Files.exists(original)) {
                Files.copy(original, target, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        try (SqliteDatabase database = SqliteDatabase.open(copy)) {
            HistoryTables tables = new HistoryTables(database, "shop");
            tables.create();
            return HistoryWorkload.actual(tables);
        }
    }

    private static List<String> shortened(List<String> rows) {
        return rows.stream()
                .map(row -> row.substring(0, Math.min(100, row.length())))
                .toList();
    }
}
