package io.sluice.schema.history.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.history.database.HistoryException;
import io.sluice.schema.history.database.SqliteDatabase;
import io.sluice.testkit.debian.DebianRoot;
import io.sluice.testkit.debian.ServerUnavailableException;
import io.sluice.testkit.junit.Seeded;
import io.sluice.testkit.process.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The power fails while a history is written. The system calls of a writer are recorded with strace; then a disk is simulated up to a
 * random call, loses or mangles what was not synchronized, and the history is opened and compared with what the writer had confirmed by
 * then. {@code -Dsluice.failures=20000} has more failures.
 */
class PowerFailureIT {
    private static final int FAILURES = Integer.getInteger("sluice.failures", 60);
    private static final int FAILURES_OF_A_LYING_DISK = 20;
    private static final int STEPS = 160;
    private static final int SESSIONS = 2;

    @TempDir
    private Path folder;

    private final long seed;
    private final Random random;
    private Path directory = Path.of("");
    private List<SystemCall> calls = List.of();

    /** What the history holds after each step; the first is before all of them. */
    private final List<List<String>> contents = new ArrayList<>();

    PowerFailureIT(@Seeded long seed) {
        this.seed = seed;
        this.random = new Random(seed);
    }

    @BeforeEach
    void record() throws Exception {
        directory = Files.createDirectory(folder.toRealPath().resolve("history"));
        SystemCallTrace trace = new SystemCallTrace(directory);
        for (int session = 0; session < SESSIONS; session++) {
            Path output = folder.resolve("trace" + session);
            write(output, (long) session * STEPS, (session + 1L) * STEPS);
            trace.read(output);
        }
        calls = trace.calls();
        HistoryWorkload workload = new HistoryWorkload(seed);
        for (long step = -1; step < (long) SESSIONS * STEPS; step++) {
            workload.advanceTo(step);
            contents.add(workload.expected());
        }
        assertThat(calls).contains(new SystemCall.Confirmed((long) SESSIONS * STEPS - 1));
    }

    private void write(Path output, long from, long to) throws Exception {
        List<String> command = new ArrayList<>(strace());
        command.addAll(List.of(
                "-f",
                "-qq",
                "-y",
                "-xx",
                "-s",
                "4194304",
                "-e",
                "signal=none",
                "-e",
                "trace=" + SystemCallTrace.CALLS,
                "-o",
                output.toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                WriterProgram.class.getName(),
                directory.resolve("h.sqlite").toString(),
                Long.toString(seed),
                Long.toString(from),
                Long.toString(to)));
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(process.waitFor()).isZero();
    }

    /** strace of this machine, or of Debian; the test is skipped where neither is to be had or processes may not be traced. */
    private static List<String> strace() {
        List<String> command;
        try {
            command = Files.isExecutable(Path.of("/usr/bin/strace"))
                    ? List.of("/usr/bin/strace")
                    : DebianRoot.command(fetched(), "usr/bin/strace");
        } catch (ServerUnavailableException e) {
            throw Assumptions.<RuntimeException>abort("no strace: " + e.getMessage());
        }
        List<String> trial = new ArrayList<>(command);
        trial.addAll(List.of("-qq", "-e", "trace=none", "true"));
        Commands.Outcome outcome = Commands.run(Path.of("."), Map.of(), trial);
        Assumptions.assumeTrue(outcome.isSuccess(), "processes cannot be traced here: " + outcome.output());
        return command;
    }

    private static Path fetched() {
        Path servers = Path.of(System.getProperty("sluice.servers"));
        return DebianRoot.of(
                servers.resolve("strace"),
                new DebianRoot.Wanted("bookworm", "strace", "6", "usr/bin/strace"),
                root -> {});
    }

    @Test
    void nothingThatWasConfirmedIsLost() throws IOException {
        long lost = failures(true, FAILURES);

        assertThat(lost).isZero();
        assertThat(failures(false, FAILURES_OF_A_LYING_DISK))
                .as("a disk that does not synchronize must be found out")
                .isPositive();
    }

    /** How many power failures had lost or damaged something. */
    private long failures(boolean synchronizes, int count) throws IOException {
        long[] points = LongStream.generate(() -> random.nextInt(calls.size() + 1))
                .limit(count)
                .sorted()
                .toArray();
        SimulatedDisk disk = new SimulatedDisk(synchronizes);
        long confirmed = -1;
        int applied = 0;
        long failed = 0;
        long recovered = 0;
        for (int i = 0; i < points.length; i++) {
            for (; applied < points[i]; applied++) {
                SystemCall call = calls.get(applied);
                disk.apply(call);
                if (call instanceof SystemCall.Confirmed done) {
                    confirmed = done.step();
                }
            }
            String difference = difference(disk, confirmed);
            if (difference == null) {
                recovered++;
            } else {
                failed++;
                if (synchronizes) {
                    System.err.printf("call %d, step %d: %s%n", applied, confirmed, difference);
                }
            }
        }
        System.err.printf(
                "%d calls, %d power failures, synchronizes=%s: %d recovered, %d with losses%n",
                calls.size(), count, synchronizes, recovered, failed);
        return failed;
    }

    private @Nullable String difference(SimulatedDisk disk, long confirmed) throws IOException {
        Path after = Files.createTempDirectory(folder, "after");
        try {
            disk.fail(after, random);
            List<String> actual;
            try (SqliteDatabase database = SqliteDatabase.open(after.resolve("h.sqlite"))) {
                HistoryTables tables = new HistoryTables(database, "shop");
                tables.create();
                actual = HistoryWorkload.actual(tables);
            } catch (HistoryException e) {
                return String.valueOf(e.getMessage());
            }
            int before = (int) confirmed + 1;
            boolean isRight = actual.equals(contents.get(before))
                    || before + 1 < contents.size() && actual.equals(contents.get(before + 1));
            return isRight
                    ? null
                    : "holds %d rows and snapshots of %d"
                            .formatted(actual.size(), contents.get(before).size());
        } finally {
            try (Stream<Path> files = Files.list(after)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(after);
        }
    }
}
