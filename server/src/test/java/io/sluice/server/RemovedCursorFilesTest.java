package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.instance.InstanceState;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.cursor.file.FileCursorEditor;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of a cursor are removed while its instance cannot reach its source, so that the cursor does not move. */
class RemovedCursorFilesTest {
    private static final String NAME = "shop";
    private static final Subscription SENDER = new Subscription(
            Subscription.QUEUE_CLIENT, "", new Cursor("db1", 3306, new BinlogPosition("binlog.000001", 700), "", 1, 1));

    @TempDir
    private Path home;

    private ServerFiles files;
    private Path cursors;

    @BeforeEach
    void configure() throws Exception {
        files = new ServerFiles(home);
        cursors = home.resolve("cursors");
        files.writeShop(cursors);
        new FileCursorEditor(cursors, NAME).replace(List.of(SENDER));
    }

    @Test
    void theNextStartIsAtTheCursorThatWasRemovedBeforeTheStop() throws Exception {
        SluiceServer server = files.start();
        try {
            Files.delete(cursors.resolve(NAME).resolve("meta.dat"));
        } finally {
            server.stop(Duration.ZERO);
        }

        assertThat(new FileCursorEditor(cursors, NAME).read()).containsExactly(SENDER);
    }

    /** The next process does not know them. */
    @Test
    void theEndOfTheProcessMakesARemovedDirectoryAgainForTheCursors() throws Exception {
        SluiceServer server = files.start();
        try {
            Files.move(cursors.resolve(NAME), home.resolve("away"));
        } finally {
            server.stop(Duration.ZERO);
        }

        assertThat(new FileCursorEditor(cursors, NAME).read()).containsExactly(SENDER);
    }

    /** Without it the instance would deliver past the pause at the next start. */
    @Test
    void thePauseBesideTheCursorComesBackWithIt() throws Exception {
        Path directory = cursors.resolve(NAME);
        SluiceServer server = files.start();
        try {
            server.operations().pause(NAME, "before a DDL");
            Files.delete(directory.resolve("pace"));
            Files.delete(directory.resolve("meta.dat"));

            await().until(() -> Files.exists(directory.resolve("pace")));

            assertThat(Files.readString(directory.resolve("pace"))).contains("paused.reason=before a DDL");
        } finally {
            server.stop(Duration.ZERO);
        }
    }

    /** Both would deliver everything. */
    @Test
    void anInstanceWhoseLockAnotherProcessHasTakenEndsWithTheReason() throws Exception {
        Path lockFile = cursors.resolve(NAME).resolve("meta.dat.lock");
        SluiceServer server = files.start();
        try {
            Files.delete(lockFile);
            Process other = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Holder.class.getName(),
                            lockFile.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try {
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> server.operations()
                                .snapshot(NAME)
                                .health()
                                .filter(health -> health.state() == InstanceState.FAILED)
                                .isPresent());

                InstanceSnapshot failed = server.operations().snapshot(NAME);
                assertThat(failed.errors().get(0).message())
                        .contains("the lock file of the cursors was removed or replaced", lockFile.toString());
            } finally {
                other.destroyForcibly();
            }
        } finally {
            server.stop(Duration.ZERO);
        }
    }

    /** Another process, which locks a lock file as a server does, as soon as the one before is gone. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws Exception {
            while (true) {
                FileChannel channel =
                        FileChannel.open(Path.of(arguments[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                if (channel.tryLock(1 << 20, 1, false) != null) {
                    Thread.currentThread().join();
                }
                channel.close();
                Files.delete(Path.of(arguments[0]));
            }
        }
    }
}
