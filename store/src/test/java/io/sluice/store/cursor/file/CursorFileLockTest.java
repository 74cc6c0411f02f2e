package io.sluice.store.cursor.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.Subscription;
import io.sluice.testkit.log.LogLines;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two stores, or a store and an editor, want the cursor file of one destination. */
class CursorFileLockTest {
    private static final String NAME = "shop";
    private static final Optional<String> CANNOT_BE_TOLD = Optional.of("cannot be told");
    private static final List<Subscription> CLIENTS = List.of(
            new Subscription(1001, "", new Cursor("db1", 3306, new BinlogPosition("binlog.000001", 4), "", 1, 1)));

    @TempDir
    private Path dir;

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void stopTimer() {
        scheduler.shutdownNow();
    }

    @Test
    void aSecondStoreInThisProcessIsRejectedAndTheFirstOneKeepsItsLock() throws Exception {
        try (FileCursorStore first = open(dir)) {
            for (Path path :
                    List.of(dir, Files.createSymbolicLink(dir.resolveSibling(dir.getFileName() + "-2"), dir))) {
                assertThatThrownBy(() -> open(path))
                        .isInstanceOf(CursorException.class)
                        .hasMessageContaining("is in use by an instance shop of this process");
                assertThatThrownBy(() -> new FileCursorEditor(path, NAME).replace(CLIENTS))
                        .isInstanceOf(CursorException.class)
                        .hasMessageContaining("is in use");
                assertThat(holder(path)).contains("this process");
                assertThat(heldFor(path)).contains("cursor file", "is in use by an instance shop of process");
            }
            first.subscribe(1001, "");
        }
        assertThat(holder(dir)).isEmpty();
        open(dir).close();
    }

    @Test
    void aSecondProcessIsRejectedUntilTheFirstOneEnds() throws Exception {
        Process other = LockHolders.hold(dir);
        try (BufferedReader said = LockHolders.reader(other)) {
            assertThat(said.readLine()).isEqualTo("open");

            assertThatThrownBy(() -> open(dir))
                    .isInstanceOf(CursorException.class)
                    .hasMessageContaining(
                            "cursor file " + dir.resolve("shop/meta.dat") + " is in use by an instance shop")
                    .hasMessageContaining("of process " + other.pid())
                    .hasMessageContaining("lock file " + dir.resolve("shop/meta.dat.lock"))
                    .hasMessageContaining("stop the other one, or set a canal.file.data.dir of its own");
            assertThatThrownBy(() -> new FileCursorEditor(dir, NAME).replace(CLIENTS))
                    .isInstanceOf(CursorException.class);
            assertThat(dir.resolve("shop/meta.dat")).doesNotExist();
            assertThat(holder(dir)).hasValueSatisfying(who -> assertThat(who).startsWith("process " + other.pid()));
        } finally {
            other.destroyForcibly(); // as a crash
            assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(holder(dir)).isEmpty();
        new FileCursorEditor(dir, NAME).replace(CLIENTS);
        try (FileCursorStore store = open(dir)) {
            assertThat(store.subscriptions()).isEqualTo(CLIENTS);
        }
    }

    /** As on a disk that is full: the name of the process cannot be written into the lock file, but the file can be locked. */
    @Test
    void aProcessThatCannotBeNamedKeepsItsLock() throws Exception {
        Files.writeString(Files.createDirectories(dir.resolve(NAME)).resolve("meta.dat.lock"), "4711 on other\n");
        List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -f 0; exec \"$@\"", "sh"));
        command.addAll(LockHolders.holding(dir));
        command.add(5, "-XX:-UsePerfData"); // a file that could not be written
        Process other = new ProcessBuilder(command).redirectErrorStream(true).start(); // which has the log
        try (BufferedReader said = LockHolders.reader(other)) {
            assertThat(said.lines().takeWhile(line -> !line.equals("open")))
                    .anyMatch(line -> line.contains("the lock file does not name this process: instance=shop"));

            assertThatThrownBy(() -> open(dir))
                    .isInstanceOf(CursorException.class)
                    .hasMessageContaining("is in use by an instance shop of another process");
            assertThat(holder(dir)).contains("another process");
        } finally {
            other.destroyForcibly();
            assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }

        open(dir).close();
    }

    @Test
    void aStoreThatCannotBeOpenedLeavesNoLock() throws Exception {
        Files.writeString(Files.createDirectories(dir.resolve(NAME)).resolve("meta.dat"), "{");
        assertThatThrownBy(() -> open(dir)).isInstanceOf(CursorException.class).hasMessageContaining("cannot be used");

        Files.delete(dir.resolve("shop/meta.dat"));
        open(dir).close();
    }

    @Test
    void whatIsOnlyReadIsNotLocked() {
        assertThat(new FileCursorEditor(dir, NAME).read()).isEmpty();
        assertThat(holder(dir)).isEmpty();
        assertThat(dir).isEmptyDirectory();
    }

    /** As on a file system without locks. */
    @Test
    void withoutLocksThereIsAWarning() {
        try (LogLines lines = LogLines.of(CursorFileLock.class)) {
            try (CursorFileLock lock = CursorFileLock.take(dir.resolve("shop/meta.dat"), NAME, channel -> {
                throw new IOException("No locks available");
            })) {
                assertThat(lock).isNotNull();
                assertThatThrownBy(() -> open(dir)).isInstanceOf(CursorException.class);
            }
            assertThat(lines.texts())
                    .singleElement()
                    .asString()
                    .contains(
                            "the cursor file cannot be locked", "instance=shop", "meta.dat.lock", "No locks available");
        }
        open(dir).close();
    }

    /** As one of another user, or on a file system that is mounted read-only: that does not mean that there are no locks. */
    @Test
    void aLockFileThatCannotBeOpenedIsAnError() throws Exception {
        Path lockFile = Files.createDirectories(dir.resolve(NAME)).resolve("meta.dat.lock");
        Files.createSymbolicLink(lockFile, lockFile); // which root cannot open either

        assertThatThrownBy(() -> open(dir))
                .isInstanceOf(CursorException.class)
                .hasMessageContaining("cursor file " + dir.resolve("shop/meta.dat") + " cannot be locked")
                .hasMessageContaining(lockFile + " cannot be opened")
                .hasMessageContaining("must be able to write the directory " + dir.resolve(NAME));
        assertThat(holder(dir)).isEqualTo(CANNOT_BE_TOLD);

        Files.delete(lockFile);
        open(dir).close();
    }

    /** As on a disk without space, or without inodes, for the file. */
    @Test
    void anotherCauseThanAMissingRightIsNotCalledOne() throws Exception {
        Path lockFile = Files.createDirectories(dir.resolve(NAME).resolve("meta.dat.lock"));

        assertThatThrownBy(() -> open(dir))
                .isInstanceOf(CursorException.class)
                .hasMessageContaining(lockFile + " cannot be opened")
                .hasMessageContaining("remove that cause")
                .message()
                .doesNotContain("must be able to write");
    }

    @Test
    void aDirectoryThatCannotBeMadeIsAnError() throws Exception {
        Files.writeString(dir.resolve(NAME), "");

        assertThatThrownBy(() -> open(dir))
                .isInstanceOf(CursorException.class)
                .hasMessageContaining("must be able to write the directory " + dir.resolve(NAME));
    }

    /** An interrupt closes the channel, and a channel that is closed has no lock. */
    @Test
    void anInterruptEndsTheStartAndLeavesNoLock() {
        Path file = dir.resolve("meta.dat");
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> CursorFileLock.take(file, NAME).close())
                    .isInstanceOf(CursorException.class)
                    .hasMessageContaining("the start was interrupted");
            assertThat(Thread.interrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }

        assertThat(CursorFileLock.holder(file, CANNOT_BE_TOLD)).isEmpty();
        CursorFileLock.take(file, NAME).close();
    }

    private Optional<String> holder(Path path) {
        return new FileCursorEditor(path, NAME).holder(CANNOT_BE_TOLD);
    }

    private FileCursorStore open(Path path) {
        return FileCursorStore.open(path, NAME, scheduler, Duration.ofDays(1), Time.SYSTEM);
    }

    /** What another process says that wants to hold it. */
    private static String heldFor(Path path) throws IOException {
        Process other = LockHolders.hold(path);
        try {
            return LockHolders.firstLine(other);
        } finally {
            other.destroyForcibly();
        }
    }
}
