package io.sluice.testkit.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DelayingProxyTest {
    private static final Duration DELAY = Duration.ofMillis(50);

    @Test
    void everyAnswerArrivesLaterAndInOrder() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                DelayingProxy proxy = new DelayingProxy(DELAY, listening::getLocalPort);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
                Socket server = listening.accept()) {
            client.getOutputStream().write(1);
            assertThat(server.getInputStream().read()).isEqualTo(1);

            for (int i = 2; i < 5; i++) {
                long sent = System.nanoTime();
                server.getOutputStream().write(i);
                assertThat(client.getInputStream().read()).isEqualTo(i);
                assertThat(System.nanoTime() - sent).isGreaterThanOrEqualTo(DELAY.toNanos());
            }
            server.getOutputStream().write(new byte[] {5, 6});
            server.getOutputStream().write(7);
            assertThat(client.getInputStream().readNBytes(3)).containsExactly(5, 6, 7);
        }
    }

    @Test
    void theLastAnswerArrivesBeforeTheEnd() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                DelayingProxy proxy = new DelayingProxy(DELAY, listening::getLocalPort);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
                Socket server = listening.accept()) {
            server.getOutputStream().write(1);
            server.close();

            assertThat(client.getInputStream().read()).isEqualTo(1);
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aClientThatLeavesClosesTheServersEnd() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                DelayingProxy proxy = new DelayingProxy(DELAY, listening::getLocalPort);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
                Socket server = listening.accept()) {
            client.close();

            assertThat(server.getInputStream().read()).isEqualTo(-1);
        }
    }
}
