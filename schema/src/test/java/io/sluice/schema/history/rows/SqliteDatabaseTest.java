package io.sluice.schema.history.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.schema.history.database.HistoryException;
import io.sluice.schema.history.database.SqliteDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong with the file of a history, and what is reported then. */
class SqliteDatabaseTest {
    private static final long SEED = 7;

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("h 1%20?.sqlite"); // is no URL
    }

    private void write(long steps) throws IOException {
        try (SqliteDatabase database = SqliteDatabase.open(file())) {
            HistoryTables tables = new HistoryTables(database, "shop");
            tables.create();
            HistoryWorkload workload = new HistoryWorkload(SEED);
            for (long n = 0; n < steps; n++) {
                workload.write(tables, n);
            }
        }
    }

    private void assertHolds(long lastStep) throws IOException {
        try (SqliteDatabase database = SqliteDatabase.open(file())) {
            HistoryWorkload workload = new HistoryWorkload(SEED);
            workload.advanceTo(lastStep);
            assertThat(HistoryWorkload.actual(new HistoryTables(database, "shop")))
                    .isEqualTo(workload.expected());
        }
    }

    /** Runs the writer in a process of its own, with more arguments for Java; returns its output. */
    private String writer(List<String> prefix, String... options) throws Exception {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(options));
        command.addAll(List.of(WriterProgram.class.getName(), file().toString(), Long.toString(SEED), "0", "1000000"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isNotZero();
        return output;
    }

    private static long lastConfirmed(String output) {
        return output.lines()
                .filter(line -> line.startsWith("done "))
                .mapToLong(line -> Long.parseLong(line.substring(5)))
                .max()
                .orElse(-1);
    }

    @Test
    void onlyItsUserCanReadTheFiles() throws IOException {
        try (SqliteDatabase database = SqliteDatabase.open(file())) {
            new HistoryTables(database, "shop").create();
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files.toList())
                        .hasSize(2)
                        .allSatisfy(
                                file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                                        .isEqualTo("rw-------"));
            }
        }
        assertThat(folder.resolve(file().getFileName() + "-wal")).doesNotExist();
    }

    @Test
    void rowsThatTakeTooMuchOfTheHeapAreAFailure() throws IOException {
        try (SqliteDatabase database = SqliteDatabase.open(file())) {
            String rows = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000)"
                    + " select hex(zeroblob(1500000)) from n";

            SourceException failure = catchThrowableOfType(SourceException.class, () -> database.query(rows));

            assertThat(failure.failure()).isEqualTo(SourceFailure.HISTORY_UNREACHABLE);
            assertThat(failure)
                    .hasMessageStartingWith(
                            "the schema history %s cannot be read: result exceeds the limit of ".formatted(file()))
                    .hasCauseInstanceOf(ResultTooLargeException.class);
            assertThat(failure.remedy())
                    .isEqualTo(
                            "see that canal.instance.tsdb.url leads to the schema history that is meant; if it does, raise -Xmx");
            assertThat(database.query("select 1")).as("then").hasSize(1);
        }
    }

    @Test
    void anotherInstanceIsRejected() throws IOException {
        write(3);
        try (SqliteDatabase database = SqliteDatabase.open(file())) {
            assertThatThrownBy(() -> SqliteDatabase.open(file()))
                    .isInstanceOf(HistoryException.class)
                    .hasMessageContaining(file() + " is in use by another process or another instance")
                    .hasMessageContaining("canal.instance.tsdb.url");
            assertThat(database.query("select count(*) from meta_history").get(0)[0])
                    .isNotEqualTo("0");
        }
        assertHolds(2);
    }

    @Test
    void anotherProcessIsRejected() throws Exception {
        write(3);
        try (SqliteDatabase database = SqliteDatabase.open(file())) {
            assertThat(writer(List.of())).contains(file() + " is in use by another process");
            database.query("select 1");
        }
        assertHolds(2);
    }

    @Test
    void aFileOfSomethingElseIsDamaged() throws IOException {
        Files.writeString(file(), "this is no database, ".repeat(1000));

        assertThatThrownBy(() -> SqliteDatabase.open(file()))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining(file() + " is damaged")
                .hasMessageContaining("restore it from a backup");
        assertThat(file()).content().startsWith("this is no database");
    }

    @Test
    void damageIsFoundAtTheOpen() throws IOException {
        write(150);
        byte[] whole = Files.readAllBytes(file());
        Random random = new Random(SEED);
        int found = 0;
        for (int i = 0; i < 20; i++) {
            byte[] damaged = whole.clone();
            int page = 1 + random.nextInt(whole.length / 4096 - 1);
            Arrays.fill(damaged, page * 4096, page * 4096 + 2048, (byte) 0xff);
            Files.write(file(), damaged);
            try {
                SqliteDatabase.open(file()).close();
            } catch (HistoryException e) {
                assertThat(e).hasMessageContaining("is damaged");
                found++;
            }
        }
        assertThat(found).as("pages of texts alone have nothing to check").isGreaterThan(3);
        Files.write(file(), Arrays.copyOf(whole, whole.length / 2));
        assertThatThrownBy(() -> SqliteDatabase.open(file()))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("is damaged");
    }

    @Test
    void aDirectoryThatCannotBeMadeIsReported() throws IOException {
        Path noDirectory = Files.createFile(folder.resolve("file"));

        assertThatThrownBy(() -> SqliteDatabase.open(noDirectory.resolve("h.sqlite")))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("cannot be created")
                .hasMessageContaining("write permission");
        assertThatThrownBy(() -> SqliteDatabase.open(Files.createDirectory(folder.resolve("d.sqlite"))))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("cannot be opened");
    }

    /** The limit on the size of a file has the effect of a full disk. */
    @Test
    void aWriteThatDoesNotFitIsReportedAndLosesNothing() throws Exception {
        String output = writer(List.of("sh", "-c", "ulimit -f 6000; exec \"$@\"", "sh"));

        assertThat(output).contains("HistoryException: the schema history " + file() + " cannot be written");
        assertThat(lastConfirmed(output)).isPositive();
        assertHolds(lastConfirmed(output));
    }

    @Test
    void aLibraryThatCannotBeUnpackedIsReported() throws Exception {
        assertThat(writer(List.of(), "-Dorg.sqlite.tmpdir=" + folder.resolve("none")))
                .contains("HistoryException: the native library of SQLite")
                .contains("-Dorg.sqlite.tmpdir=<directory> to JAVA_OPTS");
    }

    @Test
    void theLibraryIsUnpackedBesideTheHistoryIfNeedBeAndLeavesNothing() throws Exception {
        String output = writer(
                List.of("sh", "-c", "ulimit -f 6000; exec \"$@\"", "sh"), "-Djava.io.tmpdir=" + folder.resolve("none"));

        assertThat(lastConfirmed(output)).isPositive();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(path -> path.getFileName().toString()))
                    .allMatch(name -> name.startsWith(file().getFileName().toString()));
        }
    }

    @Test
    void aRowIsWholeWheneverItsThreadIsInterrupted() throws Exception {
        FutureTask<Long> writing = new FutureTask<>(() -> {
            HistoryWorkload workload = new HistoryWorkload(SEED);
            try (SqliteDatabase database = SqliteDatabase.open(file())) {
                HistoryTables tables = new HistoryTables(database, "shop");
                tables.create();
                long interrupts = 0;
                long n = 0;
                for (; interrupts < 100 || n < 200; n++) {
                    workload.write(tables, n);
                    interrupts += Thread.interrupted() ? 1 : 0;
                }
                Thread.currentThread().interrupt(); // and is closed so
                return n;
            }
        });
        Thread writer = new Thread(writing, "writer");
        writer.start();
        while (!writing.isDone()) {
            writer.interrupt();
            Thread.onSpinWait();
        }
        assertHolds(writing.get() - 1);
    }

    /** As a restored backup that a crash has left with its log: the log has what was committed last. */
    @Test
    void theEndOfAFileThatWasReplacedLeavesTheLogOfTheOtherOneAsItIs() throws IOException {
        Path other = folder.resolve("other.sqlite");
        try (SqliteDatabase written = SqliteDatabase.open(other)) {
            HistoryTables tables = new HistoryTables(written, "shop");
            tables.create();
            new HistoryWorkload(SEED).write(tables, 0);
            Files.copy(other, folder.resolve("copy"));
            Files.copy(log(other), folder.resolve("copy-wal"));
        }
        SqliteDatabase database = SqliteDatabase.open(file());
        HistoryTables tables = new HistoryTables(database, "shop");
        tables.create();
        Files.move(folder.resolve("copy"), file(), StandardCopyOption.REPLACE_EXISTING);
        Files.move(folder.resolve("copy-wal"), log(file()), StandardCopyOption.REPLACE_EXISTING);
        byte[] main = Files.readAllBytes(file());
        byte[] log = Files.readAllBytes(log(file()));

        database.close();

        assertThat(log(file())).hasBinaryContent(log);
        assertThat(file()).hasBinaryContent(main);
        assertThat(openFilesNamed(file())).as("descriptors that are left").isEmpty();
        assertHolds(0);
    }

    private static Path log(Path file) {
        return file.resolveSibling(file.getFileName() + "-wal");
    }

    /** The files that this process has open and whose name, perhaps of one that is deleted, begins so. */
    private static List<String> openFilesNamed(Path file) throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : all.toList()) {
                try {
                    names.add(Files.readSymbolicLink(descriptor).toString());
                } catch (NoSuchFileException e) {
                    // closed meanwhile
                }
            }
        }
        return names.stream().filter(name -> name.startsWith(file.toString())).toList();
    }

    @Test
    void aTextThatIsTooLargeIsNoFailureOfTheDisk() {
        try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("large.sqlite"))) {
            assertThatThrownBy(() -> database.query("select zeroblob(1000000001)"))
                    .isInstanceOf(HistoryException.class)
                    .hasMessageContaining("canal.instance.filter.regex")
                    .hasMessageNotContaining("disk");
        }
    }
}
