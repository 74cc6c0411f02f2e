package io.sluice.store.cursor.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.CursorLog;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.text.AtomicFile;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The files of a store are removed or replaced while it is open, as by a deployment that replaces the directory of the configuration. */
class RemovedCursorFileTest {
    private static final String NAME = "shop";
    private static final Duration NEVER = Duration.ofDays(1);

    @TempDir
    private Path dir;

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    @AutoClose
    private final LogLines lines = LogLines.of(CursorStore.class.getPackageName());

    @AfterEach
    void stop() {
        scheduler.shutdownNow();
    }

    @Test
    void aCursorWhoseFileIsRemovedIsWrittenAgainAlthoughItDoesNotMove() throws IOException {
        try (FileCursorStore store = opened(Duration.ofMillis(5), 700)) {
            store.flush();
            Files.delete(file());

            await().until(() -> Files.exists(file()) && !warnings().isEmpty());

            assertThat(cursorsInFile()).containsExactly(at(700));
            assertThat(warnings())
                    .anyMatch(line ->
                            line.startsWith("a cursor file that something else has removed or changed is written again")
                                    && line.contains("was=removed")
                                    && line.contains("instance=shop file=" + file())
                                    && line.contains("binlog.000001:700"));
        }
    }

    @Test
    void itIsWrittenAgainWhenTheStoreIsClosed() throws IOException {
        FileCursorStore store = opened(NEVER, 700);
        store.flush();
        Files.delete(file());
        AtomicBoolean isRestored = new AtomicBoolean();
        store.onRestored(() -> isRestored.set(true));

        store.close();

        assertThat(cursorsInFile()).containsExactly(at(700));
        assertThat(isRestored).isTrue();
        assertThat(store.isLeftUnwritten()).isFalse();
    }

    /** One that is moved away could not be moved back. */
    @Test
    void aDirectoryThatIsGoneIsNotMadeAndHasTheCursorsWhenItIsBack() throws IOException {
        try (FileCursorStore store = opened(NEVER, 700)) {
            store.flush();
            Path away = Files.move(file().getParent(), dir.resolve("away"));

            assertThatThrownBy(store::flush)
                    .isInstanceOf(CursorException.class)
                    .hasMessageContaining("the directory " + file().getParent());
            assertThat(file().getParent()).doesNotExist();

            store.save(Subscription.QUEUE_CLIENT, at(900));
            Files.move(away, file().getParent());
            store.flush();

            assertThat(cursorsInFile()).containsExactly(at(900));
        }
    }

    @Test
    void anEmptyDirectoryThatTakesItsPlaceHasThemToo() throws IOException {
        try (FileCursorStore store = opened(NEVER, 700)) {
            store.flush();
            removeDirectory();
            assertThatThrownBy(store::flush).isInstanceOf(CursorException.class);
            Files.createDirectory(file().getParent());

            store.flush();

            assertThat(cursorsInFile()).containsExactly(at(700));
        }
    }

    @Test
    void aStoreThatEndsWithoutItsDirectoryLogsItsCursors() throws IOException {
        FileCursorStore store = opened(NEVER, 700);
        store.flush();
        removeDirectory();

        store.close();

        assertThat(file().getParent()).doesNotExist();
        assertThat(store.isLeftUnwritten()).isTrue();
        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("its newest cursors could not be written", "binlog.000001:700");
    }

    @Test
    void aFileWithOtherCursorsIsReplaced() throws IOException {
        try (FileCursorStore store = opened(NEVER, 700)) {
            store.flush();
            Path copy = Files.copy(file(), dir.resolve("copy"));
            store.save(Subscription.QUEUE_CLIENT, at(900));
            store.flush();
            Files.move(copy, file(), StandardCopyOption.REPLACE_EXISTING);

            store.flush();

            assertThat(cursorsInFile()).containsExactly(at(900));
            assertThat(warnings()).singleElement().asString().contains("was=replaced");
        }
    }

    @Test
    void aFileThatIsOverwrittenInPlaceIsReplaced() throws IOException {
        try (FileCursorStore store = opened(NEVER, 700)) {
            store.flush();
            Files.writeString(file(), "{");

            store.flush();

            assertThat(cursorsInFile()).containsExactly(at(700));
            assertThat(warnings()).singleElement().asString().contains("was=damaged");
        }
    }

    @Test
    void aCopyWithTheSameCursorsIsLeftAlone() throws IOException {
        try (FileCursorStore store = opened(NEVER, 700)) {
            store.flush();
            Path copy = dir.resolve("copy");
            Files.writeString(copy, "  " + Files.readString(file()));
            Files.move(copy, file(), StandardCopyOption.REPLACE_EXISTING);

            store.flush();

            assertThat(Files.readString(file())).startsWith("  {");
            assertThat(warnings()).isEmpty();
        }
    }

    @Test
    void cursorsThatWereDeletedOnPurposeStayDeleted() {
        opened(NEVER, 700).close();
        new FileCursorEditor(dir, NAME).replace(List.of());

        try (FileCursorStore store = open(NEVER)) {
            store.flush();
            assertThat(store.kept()).isEmpty();
        }

        assertThat(cursorsInFile()).isEmpty();
        assertThat(warnings()).isEmpty();
    }

    @Test
    void cursorsThatWereSetWhileNoStoreWasOpenAreTaken() {
        opened(NEVER, 700).close();
        new FileCursorEditor(dir, NAME).replace(List.of(new Subscription(Subscription.QUEUE_CLIENT, "", at(300))));

        try (FileCursorStore store = open(NEVER)) {
            store.flush();
            assertThat(store.load(Subscription.QUEUE_CLIENT)).isEqualTo(at(300));
        }

        assertThat(cursorsInFile()).containsExactly(at(300));
        assertThat(warnings()).isEmpty();
    }

    @Test
    void theLockIsTakenAgainIfItsFileIsRemoved() throws IOException {
        try (FileCursorStore store = opened(NEVER, 700)) {
            Path lockFile = file().resolveSibling("meta.dat.lock");
            Files.delete(lockFile);

            store.flush();

            assertThat(lockFile).isNotEmptyFile();
            assertThat(new FileCursorEditor(dir, NAME).holder(Optional.empty())).contains("this process");
            assertThat(heldFor(dir)).contains("is in use by an instance shop of process");
            assertThat(warnings()).singleElement().asString().contains("the lock file of the cursors was removed");
        }
        assertThat(new FileCursorEditor(dir, NAME).holder(Optional.empty())).isEmpty();
        open(NEVER).close();
    }

    @Test
    void aStoreWhoseLockAnotherProcessHasTakenWritesNothingAnyMore() throws Exception {
        HandTime time = new HandTime();
        FileCursorStore store = FileCursorStore.open(dir, NAME, scheduler, NEVER, time);
        store.subscribe(Subscription.QUEUE_CLIENT, "");
        store.save(Subscription.QUEUE_CLIENT, at(700));
        store.flush();
        List<CursorException> losses = new ArrayList<>();
        store.onLoss(losses::add);
        Files.delete(file().resolveSibling("meta.dat.lock"));
        Process other = LockHolders.hold(dir);
        try {
            assertThat(LockHolders.firstLine(other)).isEqualTo("open");
            store.save(Subscription.QUEUE_CLIENT, at(900));

            assertThatThrownBy(store::flush).isInstanceOf(CursorException.class).hasMessageContaining("is in use by");
            assertThatThrownBy(store::flush).isInstanceOf(CursorException.class);
            assertThat(losses).as("a command may end soon").isEmpty();
            time.pass(NEVER);
            assertThatThrownBy(store::flush).isInstanceOf(CursorException.class);

            assertThat(losses)
                    .singleElement()
                    .satisfies(loss -> assertThat(loss)
                            .hasMessageContaining("the lock file of the cursors was removed or replaced")
                            .hasMessageContaining("of process " + other.pid()));
            assertThat(lines.texts(Level.ERROR)).anyMatch(line -> line.contains("binlog.000001:900"));
            store.close();
            assertThat(store.isLeftUnwritten()).isFalse();
            assertThat(cursorsInFile()).containsExactly(at(700));
        } finally {
            LockHolders.end(other);
        }
        open(NEVER).close();
    }

    /** The time between the rename and the end of the write is that of a force to the disk. */
    @Test
    void aFileThatIsRemovedBeforeItsWriteHasEndedIsSeenToBeGone() throws Exception {
        Path path = Files.createDirectory(dir.resolve(NAME)).resolve("meta.dat");
        for (int round = 0; round < 100; round++) {
            Files.deleteIfExists(path);
            AtomicFile file = new AtomicFile(path);
            Future<?> removal = scheduler.submit(() -> {
                while (!Files.deleteIfExists(path)) {
                    Thread.onSpinWait();
                }
                return null;
            });
            file.replace("text");
            removal.get();

            assertThat(file.mayDiffer()).as("round %d", round).isTrue();
        }
    }

    @Test
    void aLockFileThatIsRemovedWhileItIsLockedIsLockedAgain() throws IOException {
        Path lockFile = file().resolveSibling("meta.dat.lock");
        AtomicBoolean isFirst = new AtomicBoolean(true);

        CursorFileLock lock = CursorFileLock.take(file(), NAME, channel -> {
            boolean isLocked = channel.tryLock(1 << 20, 1, false) != null;
            if (isFirst.getAndSet(false)) {
                Files.delete(lockFile);
            }
            return isLocked;
        });

        assertThat(lockFile).isNotEmptyFile();
        assertThat(heldFor(dir)).contains("is in use by an instance shop of process");
        lock.close();
    }

    @Test
    void aLockFileThatCannotBeOpenedKeepsNoCursorFromBeingWritten() throws IOException {
        try (FileCursorStore store = opened(NEVER, 700)) {
            store.flush();
            Path lockFile = file().resolveSibling("meta.dat.lock");
            Files.delete(lockFile);
            Files.createDirectory(lockFile); // no user can open it to write
            store.save(Subscription.QUEUE_CLIENT, at(800));
            store.flush();
            store.save(Subscription.QUEUE_CLIENT, at(900));

            store.flush();

            assertThat(cursorsInFile()).containsExactly(at(900));
            assertThat(warnings())
                    .singleElement()
                    .asString()
                    .contains("cannot be locked again; the cursors are written", lockFile.toString());
        }
    }

    /** As operators of canal do it to have it begin at a configured position. */
    @Test
    void aFileThatIsRemovedAfterItsInstanceHasFailedStaysRemoved() throws IOException {
        FileCursorStore store = opened(NEVER, 700);
        store.flush();
        store.leaveToOperator();
        Files.delete(file());

        store.flush();
        store.save(Subscription.QUEUE_CLIENT, at(900)); // of what was in flight
        store.flush();
        store.close();

        assertThat(file()).doesNotExist();
        assertThat(store.isLeftToOperator()).isTrue();
        assertThat(store.isLeftUnwritten()).isFalse();
        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("is left so for the next start: instance=shop", "was=removed", "binlog.000001:700");
    }

    @Test
    void whatIsInFlightIsWrittenToAFileThatWasRemovedAndPutBackAfterItsInstanceHasFailed() throws IOException {
        FileCursorStore store = opened(NEVER, 700);
        store.flush();
        store.leaveToOperator();
        Path away = file().resolveSibling("away");
        Files.move(file(), away);
        store.flush();
        Files.move(away, file());
        store.save(Subscription.QUEUE_CLIENT, at(900));

        store.flush();

        assertThat(cursorsInFile()).containsExactly(at(900));
        store.close();
        assertThat(store.isLeftToOperator()).isFalse();
    }

    /** The operator has changed it, whatever was there between. */
    @Test
    void aFileThatWasRemovedAndPutBackWithAnotherCursorAfterItsInstanceHasFailedCounts() throws IOException {
        FileCursorStore store = opened(NEVER, 700);
        store.flush();
        store.leaveToOperator();
        String text = Files.readString(file());
        Files.delete(file());
        store.flush();
        Files.writeString(file(), text.replace("700", "300"));
        store.save(Subscription.QUEUE_CLIENT, at(900));

        store.flush();
        store.close();

        assertThat(cursorsInFile()).containsExactly(at(300));
        assertThat(store.isLeftToOperator()).isTrue();
    }

    @Test
    void aFileThatIsEditedAfterItsInstanceHasFailedCounts() throws IOException {
        FileCursorStore store = opened(NEVER, 700);
        store.flush();
        store.leaveToOperator();
        FileTime written = Files.getLastModifiedTime(file());
        Files.writeString(file(), Files.readString(file()).replace("700", "300"));
        Files.setLastModifiedTime( // an operator is not as quick as the clock of the file system is coarse
                file(), FileTime.from(written.toInstant().plusSeconds(1)));

        store.flush();
        store.close();

        assertThat(cursorsInFile()).containsExactly(at(300));
        assertThat(store.isLeftToOperator()).isTrue();
    }

    @Test
    void whatIsInFlightWhenTheInstanceFailsIsWrittenAsEver() throws IOException {
        FileCursorStore store = opened(NEVER, 700);
        store.flush();
        store.leaveToOperator();
        store.save(Subscription.QUEUE_CLIENT, at(900));

        store.close();

        assertThat(cursorsInFile()).containsExactly(at(900));
        assertThat(store.isLeftToOperator()).isFalse();
        assertThat(warnings()).isEmpty();
    }

    /** A deployment removes the lock file, too, and does not know of the failure. */
    @Test
    void aDirectoryThatIsReplacedAfterItsInstanceHasFailedHasTheCursorsAgain() throws IOException {
        FileCursorStore store = opened(NEVER, 700);
        store.flush();
        store.leaveToOperator();
        Files.delete(file());
        store.flush(); // before the lock file is removed
        removeDirectory();
        assertThatThrownBy(store::flush).isInstanceOf(CursorException.class);
        Files.createDirectory(file().getParent());

        store.flush();

        assertThat(cursorsInFile()).containsExactly(at(700));
        store.close();
        assertThat(store.isLeftToOperator()).isFalse();
    }

    @Test
    void aRemovalIsRememberedUntilAWriteHasSucceeded() throws IOException {
        try (FileCursorStore store = opened(NEVER, 700)) {
            store.flush();
            AtomicBoolean isRestored = new AtomicBoolean();
            store.onRestored(() -> isRestored.set(true));
            Files.delete(file());
            Files.createDirectory(file()); // no file can be renamed over one that is not empty
            Path inside = Files.createFile(file().resolve("inside"));
            assertThatThrownBy(store::flush).isInstanceOf(CursorException.class);
            assertThat(isRestored).isFalse();
            Files.delete(inside);
            Files.delete(file());

            store.flush();

            assertThat(cursorsInFile()).containsExactly(at(700));
            assertThat(isRestored).isTrue();
            store.flush();
            assertThat(warnings()).singleElement().asString().contains("is written again");
        }
    }

    @Test
    void aRemovalIsRememberedUntilTheCursorLogHasTheWrite() throws IOException {
        try (FileCursorStore store = opened(NEVER, 700)) {
            store.flush();
            AtomicBoolean isRestored = new AtomicBoolean();
            store.onRestored(() -> isRestored.set(true));
            Files.delete(file());
            store.save(Subscription.QUEUE_CLIENT, at(900));
            Appender<ILoggingEvent> failing = new FailingAppender();
            Logger cursorLog = (Logger) LoggerFactory.getLogger(CursorLog.class);
            cursorLog.addAppender(failing);
            assertThatThrownBy(store::flush).hasMessage("no log");
            cursorLog.detachAppender(failing);
            assertThat(isRestored).isFalse();

            store.flush();

            assertThat(cursorsInFile()).containsExactly(at(900));
            assertThat(isRestored).isTrue();
            store.flush();
            assertThat(warnings()).singleElement().asString().contains("is written again", "was=removed");
        }
    }

    @Test
    void aFailureOfWhatFollowsTheWriteFailsNoFlush() throws IOException {
        try (FileCursorStore store = opened(NEVER, 700)) {
            store.flush();
            store.onRestored(() -> {
                throw new IllegalStateException("no pause");
            });
            Files.delete(file());

            store.flush();

            assertThat(cursorsInFile()).containsExactly(at(700));
            assertThat(lines.texts(Level.ERROR))
                    .anyMatch(line -> line.contains("but not what belongs to it: instance=shop"));
        }
    }

    @Test
    void aPassingFailureOfLocksIsNoEndOfTheLock() throws IOException {
        Path lockFile = file().resolveSibling("meta.dat.lock");
        AtomicBoolean fails = new AtomicBoolean();
        CursorFileLock lock = CursorFileLock.take(file(), NAME, channel -> {
            if (fails.get()) {
                throw new IOException("No locks available");
            }
            return channel.tryLock(1 << 20, 1, false) != null;
        });
        Files.delete(lockFile);
        fails.set(true);
        assertThatThrownBy(lock::keep).isInstanceOf(CursorException.class).hasMessageContaining("No locks available");
        fails.set(false);

        lock.keep();

        assertThat(heldFor(dir)).contains("is in use by an instance shop of process");
        lock.close();
    }

    /** As one that was moved away and back meanwhile: to open it a second time releases the lock of the process, on POSIX systems. */
    @Test
    void aLockFileThatIsBackAtItsPlaceWhenItIsLockedAgainIsLocked() throws IOException {
        Path lockFile = file().resolveSibling("meta.dat.lock");
        Path away = dir.resolve("away");
        CursorFileLock lock = CursorFileLock.take(file(), NAME, channel -> {
            if (Files.exists(away)) {
                Files.move(away, lockFile, StandardCopyOption.REPLACE_EXISTING);
                try (FileChannel second = FileChannel.open(lockFile, StandardOpenOption.WRITE)) {
                    return second.tryLock(1 << 20, 1, false) != null;
                }
            }
            return channel.tryLock(1 << 20, 1, false) != null;
        });
        Files.move(lockFile, away);

        lock.keep();

        assertThat(heldFor(dir)).contains("is in use by an instance shop of process");
        assertThat(lock.keep()).as("it is at its place").isTrue();
        lock.close();
    }

    @Test
    void aLockThatWasReleasedByChanceIsTakenAgainLater() throws IOException {
        Path lockFile = file().resolveSibling("meta.dat.lock");
        AtomicInteger calls = new AtomicInteger();
        CursorFileLock lock = CursorFileLock.take(file(), NAME, channel -> switch (calls.incrementAndGet()) {
            case 2 -> throw new OverlappingFileLockException();
            case 3 -> throw new IOException("No locks available");
            default -> channel.tryLock(1 << 20, 1, false) != null;
        });
        Path away = Files.move(lockFile, dir.resolve("away"));
        assertThatThrownBy(lock::keep).isInstanceOf(CursorException.class).hasMessageContaining("No locks available");
        Files.move(away, lockFile, StandardCopyOption.REPLACE_EXISTING);

        lock.keep();

        assertThat(heldFor(dir)).contains("is in use by an instance shop of process");
        lock.close();
    }

    private static String heldFor(Path path) throws IOException {
        Process other = LockHolders.hold(path);
        try {
            return LockHolders.firstLine(other);
        } finally {
            other.destroyForcibly();
        }
    }

    private FileCursorStore opened(Duration period, long offset) {
        FileCursorStore store = open(period);
        store.subscribe(Subscription.QUEUE_CLIENT, "");
        store.save(Subscription.QUEUE_CLIENT, at(offset));
        return store;
    }

    private FileCursorStore open(Duration period) {
        return FileCursorStore.open(dir, NAME, scheduler, period, Time.SYSTEM);
    }

    private List<Cursor> cursorsInFile() {
        return new FileCursorEditor(dir, NAME)
                .read().stream().map(Subscription::cursor).toList();
    }

    private List<String> warnings() {
        return lines.texts(Level.WARN);
    }

    private void removeDirectory() throws IOException {
        try (Stream<Path> all = Files.walk(file().getParent())) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private Path file() {
        return dir.resolve(NAME).resolve(FileCursorStore.FILE_NAME);
    }

    private static Cursor at(long offset) {
        return new Cursor("db1", 3306, new BinlogPosition("binlog.000001", offset), "", 1, 1);
    }

    private static final class FailingAppender extends AppenderBase<ILoggingEvent> {
        @Override
        public synchronized void doAppend(ILoggingEvent event) {
            throw new IllegalStateException("no log");
        }

        @Override
        protected void append(ILoggingEvent event) {
            doAppend(event);
        }
    }
}
