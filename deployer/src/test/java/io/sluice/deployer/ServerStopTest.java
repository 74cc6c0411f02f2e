package io.sluice.deployer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ServerStopTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path home;

    private Path started;
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private List<String> endProblems = List.of();
    private Runnable whileStopping = () -> {};

    @BeforeEach
    void start() throws IOException {
        started = Files.createFile(home.resolve("started"));
    }

    @Test
    void theFileThatShowsThatTheServerRunsIsRemovedWhenAllHasEndedInGoodOrder() {
        stop(LIMIT);

        assertThat(started).doesNotExist();
        assertThat(errors.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    /** On a full disk nothing can be written, but what is there can be left. */
    @Test
    void itStaysIfACursorCouldNotBeWritten() {
        endProblems = List.of(
                "shop did not end in good order: cursor file meta.dat cannot be written: No space left on device");

        stop(LIMIT);

        assertThat(started).exists();
        assertThat(errors.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines("""
                        the server has stopped, but not in good order:
                        shop did not end in good order: cursor file meta.dat cannot be written: No space left on device
                        """);
    }

    /** As on a disk that was full at the start, or while instances have not yet read their sources. */
    @Test
    void itIsMadeIfItIsNotThereAndSomethingIsAmiss() throws IOException {
        Files.delete(started);
        endProblems = List.of("shop did not end in good order: a defect");

        stop(LIMIT);

        assertThat(started).isEmptyFile();
    }

    @Test
    void itStaysIfTheStopFails() {
        whileStopping = () -> {
            throw new IllegalStateException("a defect");
        };

        stop(LIMIT);

        assertThat(started).exists();
        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("a defect");
    }

    @Test
    void itStaysIfTheStopTakesTooLong() {
        whileStopping = () -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };

        stop(Duration.ofSeconds(-5));

        assertThat(started).exists();
        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("did not stop within");
    }

    /** Such as if only ZooKeeper does not answer, after all instances have ended. */
    @Test
    void whatIsKnownIsToldIfTheStopTakesTooLong() {
        CountDownLatch never = new CountDownLatch(1);
        endProblems = List.of("shop did not end in good order: a defect");
        whileStopping = () -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };

        stop(Duration.ofSeconds(-5));

        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("shop did not end in good order: a defect");
    }

    /** Such as when the wait for the instances ends because the server is stopping. */
    @Test
    void itIsNotMadeByAStartThatAStopHasOvertaken() throws IOException {
        ServerStop stop = new ServerStop(
                new Server(), LIMIT, Optional.of(started), new PrintStream(errors, true, StandardCharsets.UTF_8));
        Files.delete(started);
        stop.markUnlessBegun(() -> Files.createFile(started));
        stop.run();

        stop.markUnlessBegun(() -> Files.createFile(started));

        assertThat(started).doesNotExist();
    }

    private void stop(Duration limit) {
        new ServerStop(new Server(), limit, Optional.of(started), new PrintStream(errors, true, StandardCharsets.UTF_8))
                .run();
    }

    private final class Server implements RunningServer {
        @Override
        public boolean awaitStart(Duration limit) {
            return true;
        }

        @Override
        public void awaitTermination() {}

        @Override
        public List<String> problems() {
            return List.of();
        }

        @Override
        public List<String> failures() {
            return List.of();
        }

        @Override
        public void stop(Duration limit) {
            whileStopping.run();
        }

        @Override
        public List<String> endProblems() {
            return endProblems;
        }
    }
}
