package io.sluice.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FreePortsTest {
    /** No port, so none that {@link FreePorts#next} gives out, and another one in each run of the tests. */
    private static final int PORT =
            Character.MAX_VALUE + 1 + (int) ProcessHandle.current().pid();

    /** Takes a port, says whether it could, and keeps it until its standard input ends. */
    static final class Taker {
        private Taker() {}

        public static void main(String[] arguments) throws IOException {
            System.out.println(FreePorts.take(Integer.parseInt(arguments[0])));
            System.out.flush();
            while (System.in.read() >= 0) {
                // until the test is over
            }
        }
    }

    @Test
    void aPortOfAnotherProcessIsTakenUntilThatEnds() throws IOException {
        Process taker = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Taker.class.getName(),
                        Integer.toString(PORT)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(taker.inputReader().readLine()).isEqualTo("true");
            assertThat(FreePorts.take(PORT)).isFalse();
        } finally {
            taker.destroyForcibly();
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> FreePorts.take(PORT));
        assertThat(FreePorts.take(PORT)).isFalse();
    }

    /** A check whether a server is up must not keep that server from its port. */
    @Test
    void checkingForAListenerDoesNotBind() throws Exception {
        int port = FreePorts.next();
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicInteger found = new AtomicInteger();
        Thread asking = new Thread(() -> {
            while (!isOver.get()) {
                found.addAndGet(FreePorts.isListening(port) ? 1 : 0);
            }
        });
        asking.start();
        try {
            for (int start = 0; start < 500 || found.get() == 0; start++) {
                try (ServerSocket server = new ServerSocket()) {
                    server.setReuseAddress(true);
                    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                }
            }
        } finally {
            isOver.set(true);
            asking.join();
        }

        assertThat(FreePorts.isListening(port)).isFalse();
        assertThat(FreePorts.isFree(port)).isTrue();
    }

    @Test
    void aPortIsGivenOutOnce() {
        int port = FreePorts.next();

        assertThat(FreePorts.isFree(port)).isTrue();
        assertThat(FreePorts.take(port)).isFalse();
    }
}
