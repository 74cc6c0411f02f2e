package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.port.ControlRole;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A shortage while the tokens are looked at. Calls come every three seconds, so each looks at the file. */
class AccessListTest {
    @TempDir
    Path home;

    private final HandTime time = new HandTime();
    private final Reader reader = new Reader();
    private boolean isUnreadable;
    private Path file;
    private String token;
    private AccessList access;

    @BeforeEach
    void open() throws IOException {
        file = home.resolve("control-access");
        token = TokenFile.add(file, "ops", ControlRole.OPERATOR);
        access = new AccessList(file, time, reader, this::read);
        assertThat(isAccepted(token)).isTrue();
    }

    @AfterEach
    void close() {
        access.close();
    }

    @Test
    void aThreadThatCannotBeStartedDelaysOneLook() throws IOException {
        reader.isShort = true;
        String added = TokenFile.add(file, "other", ControlRole.OPERATOR);
        assertThat(isAccepted(added)).isFalse();
        assertThat(isAccepted(token)).isTrue();

        reader.isShort = false;
        assertThat(isAccepted(added)).isTrue();
        time.pass(Duration.ofDays(1));
        assertThat(isAccepted(token)).isTrue();
    }

    @Test
    void aFileThatCannotBeReadOnceIsReadByTheNextLook() throws IOException {
        isUnreadable = true;
        String added = TokenFile.add(file, "other", ControlRole.OPERATOR);
        assertThat(isAccepted(token)).isTrue();
        assertThat(isAccepted(added)).isFalse();

        isUnreadable = false;
        assertThat(isAccepted(added)).isTrue();
    }

    /** Since the tokens may have been removed from it. */
    @Test
    void afterFiveMinutesWithoutTheFileNoTokenIsAcceptedUntilItCanBeRead() throws IOException {
        isUnreadable = true;
        assertThat(TokenFile.add(file, "other", ControlRole.OPERATOR)).isNotEmpty();
        for (int seconds = 0; seconds < 300; seconds += 3) {
            assertThat(isAccepted(token)).isTrue();
        }
        assertThat(isAccepted(token)).isFalse();

        reader.isShort = true;
        assertThat(isAccepted(token)).isFalse();
        reader.isShort = false;
        isUnreadable = false;
        assertThat(isAccepted(token)).isTrue();
    }

    private boolean isAccepted(String candidate) {
        time.passSeconds(3);
        return access.find(candidate).isPresent();
    }

    private List<TokenFile.Item> read(Path path) throws IOException {
        if (isUnreadable) {
            throw new IOException("Too many open files");
        }
        return TokenFile.read(path);
    }

    /** Runs tasks in the calling thread, unless there is no thread for them. */
    private static final class Reader extends AbstractExecutorService {
        private boolean isShort;
        private boolean isShutdown;

        @Override
        public void execute(Runnable task) {
            if (isShort) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            task.run();
        }

        @Override
        public void shutdown() {
            isShutdown = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            isShutdown = true;
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return isShutdown;
        }

        @Override
        public boolean isTerminated() {
            return isShutdown;
        }

        @Override
        public boolean awaitTermination(long limit, TimeUnit unit) {
            return isShutdown;
        }
    }
}
