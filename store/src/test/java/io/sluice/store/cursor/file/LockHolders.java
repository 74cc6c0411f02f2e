package io.sluice.store.cursor.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.CursorException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Other processes that open, and so lock, the cursor file of the destination {@code shop}. */
final class LockHolders {
    private LockHolders() {}

    static Process hold(Path path) throws IOException {
        return new ProcessBuilder(holding(path))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    static List<String> holding(Path path) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                path.toString());
    }

    static BufferedReader reader(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static String firstLine(Process process) throws IOException {
        try (BufferedReader said = reader(process)) {
            return String.valueOf(said.readLine());
        }
    }

    static void end(Process process) throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    /** A process that has a store open until it is ended. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws InterruptedException {
            ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
            try {
                FileCursorStore.open(Path.of(arguments[0]), "shop", scheduler, Duration.ofDays(1), Time.SYSTEM);
                System.out.println("open");
            } catch (CursorException e) {
                System.out.println(e.getMessage());
            }
            Thread.currentThread().join();
        }
    }
}
