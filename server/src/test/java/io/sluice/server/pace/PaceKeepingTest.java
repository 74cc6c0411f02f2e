package io.sluice.server.pace;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.store.cursor.DurableText;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PaceKeepingTest {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Disk disk = new Disk();

    @AfterEach
    void close() {
        timer.shutdownNow();
    }

    private Pace pace() {
        Pace pace = new Pace("shop", timer, new HandTime(), entries -> {});
        pace.keepIn(disk, Runnable::run);
        return pace;
    }

    @Test
    void whatCannotBeWrittenIsToldUntilItIsRepeated() {
        Pace pace = pace();
        disk.isFull = true;

        pace.pause("by ops");

        assertThat(pace.whyNotKept()).isEqualTo("shop/pace cannot be written: java.io.IOException: no space");
        assertThat(pace.status().paused()).isTrue();
        disk.isFull = false;
        pace.pause("by ops");
        assertThat(pace.whyNotKept()).isNull();
        assertThat(pace().status().reason()).isEqualTo("by ops");
    }

    private static final class Disk implements DurableText {
        private boolean isFull;
        private @Nullable String text;

        @Override
        public String place() {
            return "shop/pace";
        }

        @Override
        public String read() throws IOException {
            String read = text;
            if (read == null) {
                throw new NoSuchFileException(place());
            }
            return read;
        }

        @Override
        public void replace(String next) throws IOException {
            if (isFull) {
                throw new IOException("no space");
            }
            text = next;
        }
    }
}
