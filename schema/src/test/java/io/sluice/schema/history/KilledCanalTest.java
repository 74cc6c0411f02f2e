package io.sluice.schema.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.time.Time;
import io.sluice.schema.history.database.HistoryException;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.database.SqliteDatabase;
import io.sluice.testkit.junit.Seeded;
import io.sluice.testkit.process.Commands;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that writes a history with the H2 of canal is killed at random moments: its file is imported in a state that it had, and if that is not the newest one,
 * the import notes that the file was not closed since. {@code -Dsluice.kills=200} kills it more often.
 */
class KilledCanalTest {
    private static final int KILLS = Integer.getInteger("sluice.kills", 4);
    private static final int ROWS_BEFORE_A_KILL = 60;
    private static final int MILLIS_AFTER_A_ROW = 700;

    private static final int FAILED = 1;
    private static final int KILLED = 128 + 9;

    /** Copied there by the build. */
    private static final Path H2 = Path.of("target", "h2-of-canal", "h2.jar");

    @TempDir
    private Path folder;

    /** What was found in an imported history; when canal had closed the file, or 0. */
    private record Imported(long rows, long newest, long closedMillis) {}

    @Test
    void whatAKilledCanalHadNotWrittenIsKnownToBeMissing(@Seeded long seed) throws Exception {
        Random random = new Random(seed);
        long missing = 0;
        long imports = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            Path file = Files.createDirectory(folder.resolve("canal" + kill)).resolve("h2.mv.db");
            for (int session = random.nextInt(3); session > 0; session--) {
                run(file, random, random.nextInt(2) * ROWS_BEFORE_A_KILL); // which closes the file, or is killed
            }
            long startMillis = System.currentTimeMillis();
            Long committed = run(file, random, 1 + random.nextInt(ROWS_BEFORE_A_KILL));
            Imported imported = committed == null ? null : importCopy(file, committed);
            if (committed == null || imported == null) {
                continue;
            }
            imports++;
            missing += Math.max(0, committed - imported.newest());
            assertThat(imported.rows())
                    .as("kill %d: all up to the newest", kill)
                    .isEqualTo(imported.newest());
            assertThat(imported.newest())
                    .as("kill %d", kill)
                    .isLessThanOrEqualTo(committed + 1); // one more may be committed, and not printed
            assertThat(imported.closedMillis()) // by the process before, if the killed one had not written anything yet
                    .as("kill %d: committed up to row %d, imported up to %d", kill, committed, imported.newest())
                    .isLessThan(startMillis);
            Long closed = run(file, random, 0);
            Imported all = closed == null ? null : importCopy(file, closed);
            if (closed != null && all != null) {
                assertThat(all).isEqualTo(new Imported(closed, closed, all.closedMillis()));
                assertThat(all.closedMillis()).isGreaterThanOrEqualTo(startMillis);
            }
        }
        System.err.printf("%d kills, %d imports, %d committed rows were not in a file%n", KILLS, imports, missing);
        assertThat(imports).isPositive();
    }

    /**
     * Runs the program.
     *
     * @param rowsBeforeKill after how many rows, and at most some time, it is killed; 0 to let it close the file after one
     * @return the newest row that it has committed; null if it fails, since H2 has damaged the file when it recovered it before
     */
    private static @Nullable Long run(Path file, Random random, int rowsBeforeKill) throws Exception {
        Process process = start(file, random);
        try (BufferedReader lines = linesOf(process)) {
            String line = lines.readLine();
            for (int row = 0; line != null && row < Math.max(1, rowsBeforeKill); row++) {
                line = lines.readLine();
            }
            long committed = line == null ? 0 : number(line, CanalHistoryProgram.COMMITTED);
            if (line != null && rowsBeforeKill == 0) {
                end(process);
            } else if (line != null) {
                LockSupport.parkNanos(random.nextInt(MILLIS_AFTER_A_ROW) * 1_000_000L);
                process.toHandle().destroyForcibly(); // SIGKILL, and the rest of its output can still be read
            }
            for (line = lines.readLine(); line != null; line = lines.readLine()) {
                committed = number(line, CanalHistoryProgram.COMMITTED);
            }
            int status = process.waitFor();
            assertThat(status).isIn(FAILED, rowsBeforeKill == 0 ? 0 : KILLED);
            return status == FAILED ? null : committed;
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process start(Path file, Random random) throws Exception {
        return new ProcessBuilder(
                        Commands.java(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classes() + File.pathSeparator + H2.toAbsolutePath(),
                        CanalHistoryProgram.class.getName(),
                        file.resolveSibling("h2").toString(),
                        Long.toString(random.nextLong()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static BufferedReader linesOf(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    }

    private static void end(Process process) throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    private static long number(@Nullable String line, String event) {
        assertThat(line).startsWith(event);
        return Long.parseLong(line.substring(event.length()));
    }

    private static Path classes() throws URISyntaxException {
        return Path.of(CanalHistoryProgram.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }

    /**
     * Imports a copy, so that canal's H2 has to recover the original.
     *
     * @param committed the newest row that was committed
     * @return null if canal's H2 has damaged the file, as when it recovers one of a process that was killed, and cannot read all of it either
     */
    private @Nullable Imported importCopy(Path file, long committed) throws Exception {
        Path copy = Files.createTempDirectory(folder, "import-");
        Files.copy(file, copy.resolve("h2.mv.db"), StandardCopyOption.COPY_ATTRIBUTES);
        try {
            SchemaHistory.open(HistoryConfigs.of("shop", HistoryLocation.parse("jdbc:h2:h2", copy)), Time.SYSTEM)
                    .close();
        } catch (HistoryException e) {
            assertThat(newestOfCanal(file))
                    .as("the row that canal reads in what cannot be imported: %s", e.getMessage())
                    .isLessThan(committed);
            return null;
        }
        try (SqliteDatabase database = SqliteDatabase.open(copy.resolve("h2.sqlite"))) {
            List<@Nullable String[]> rows =
                    database.query("select count(*), coalesce(max(binlog_offest), 0) from meta_history");
            List<@Nullable String[]> identity = database.query("select imported_closed_millis from meta_identity");
            return new Imported(
                    Long.parseLong(rows.get(0)[0]), Long.parseLong(rows.get(0)[1]), Long.parseLong(identity.get(0)[0]));
        }
    }

    /** The newest row in a file, according to canal's H2; -1 if that cannot open it. */
    private static long newestOfCanal(Path file) throws Exception {
        Process process = start(file, new Random(1));
        try (BufferedReader lines = linesOf(process)) {
            end(process);
            String first = lines.readLine();
            return first == null ? -1 : number(first, CanalHistoryProgram.OPENED);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
