package io.sluice.admin;

import static org.awaitility.Awaitility.await;

import io.sluice.testkit.process.FreePorts;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The admin server as a process of its own, which can be killed. */
public final class AdminProcess implements AutoCloseable {
    private final Path data;
    private final int port;
    private Process process;

    private AdminProcess(Path data, int port) {
        this.data = data;
        this.port = port;
    }

    /** One that is not started yet, with its files in a directory. */
    public static AdminProcess at(Path data) {
        return new AdminProcess(data, FreePorts.next());
    }

    public void start() throws IOException {
        process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        AdminApplication.class.getName(),
                        "--server.port=" + port,
                        "--spring.main.lazy-initialization=true",
                        "--sluice.database.file=" + data.resolve("admin.db"),
                        "--sluice.account.initial-password-file=" + data.resolve("initial-password")))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(data.toFile(), "out.log")))
                .start();
        await().pollInterval(Duration.ofMillis(50))
                .atMost(Duration.ofMinutes(3))
                .until(this::answers);
    }

    private boolean answers() throws IOException {
        if (!process.isAlive()) {
            throw new IllegalStateException("it has ended:\n" + Files.readString(data.resolve("out.log")));
        }
        try {
            return new Browser(port).get("/api/v2/login-options").status() == 200;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    /** The first administrator, logged in. */
    public Browser administrator() throws IOException {
        return Browser.administrator(port, data.resolve("initial-password"));
    }

    /** Ends it without a word, as {@code kill -9} does. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly();
        }
    }
}
