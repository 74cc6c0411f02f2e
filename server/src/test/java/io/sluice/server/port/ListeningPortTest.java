package io.sluice.server.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.sluice.protocol.time.Time;
import io.sluice.testkit.process.Commands;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ListeningPortTest {
    /** In KiB, as of {@code ulimit -v}: some tens of threads with a stack of 128 MiB. */
    private static final int ADDRESS_SPACE = 8 << 20;

    @TempDir
    Path directory;

    /** Opens a port and closes it, in a JVM of its own, in which no more threads can be started before or between. */
    public static void main(String[] arguments) {
        boolean isBefore = arguments[0].equals("before");
        if (isBefore) {
            startThreadsUntilNoneCanBe();
        }
        try (ListeningPort port = open()) {
            System.out.println("open " + (port.address().getPort() > 0));
            startThreadsUntilNoneCanBe();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("ended");
    }

    private static ListeningPort open() throws IOException {
        return ListeningPort.open(
                new ListeningPort.Settings(
                        "test-io",
                        4,
                        "127.0.0.1",
                        0,
                        "canal.ip, canal.port",
                        Optional.empty(),
                        "tls.",
                        Duration.ofSeconds(10),
                        100,
                        "too many"),
                new ServerBootstrap(),
                new Admission(10, 10),
                new RejectionLog(Time.SYSTEM),
                pipeline -> {},
                Time.SYSTEM);
    }

    private static void startThreadsUntilNoneCanBe() {
        try {
            while (true) {
                Thread thread = new Thread(LockSupport::park);
                thread.setDaemon(true);
                thread.start();
            }
        } catch (OutOfMemoryError e) {
            System.out.println("full");
        }
    }

    @Test
    @Timeout(120)
    void aPortIsClosedWhereNoThreadCanBeStarted() {
        assertThat(inASmallJvm("between")).containsSubsequence("open true", "full", "ended");
    }

    @Test
    @Timeout(120)
    void aPortThatCannotBeOpenedForWantOfThreadsNamesTheLimit() {
        assertThat(inASmallJvm("before"))
                .contains("cannot listen on /127.0.0.1:0 (canal.ip, canal.port): no thread can be started", "ulimit -u")
                .contains("ended");
    }

    private String inASmallJvm(String when) {
        return Commands.run(
                        directory,
                        Map.of("MALLOC_ARENA_MAX", "1"),
                        List.of(
                                "timeout",
                                "60",
                                "bash",
                                "-c",
                                "ulimit -v " + ADDRESS_SPACE + "; exec \"$@\"",
                                "java",
                                Commands.java(),
                                "-Xss128m",
                                "-Xmx128m",
                                "-XX:+UseSerialGC",
                                "-XX:CompressedClassSpaceSize=64m",
                                "-XX:ReservedCodeCacheSize=64m",
                                "-Dio.netty.noUnsafe=true",
                                "-cp",
                                System.getProperty("java.class.path"),
                                ListeningPortTest.class.getName(),
                                when))
                .output();
    }
}
