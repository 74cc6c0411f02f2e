package io.sluice.testkit.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class GateTest {
    @Test
    void bytesSentWhileItIsFrozenArriveLater() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Gate gate = new Gate(server::getLocalPort);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), gate.port());
                Socket served = server.accept()) {
            client.getOutputStream().write(1);
            assertThat(served.getInputStream().read()).isEqualTo(1);

            gate.freeze();
            client.getOutputStream().write(2);
            served.getOutputStream().write(3);
            client.setSoTimeout(200);
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);

            gate.thaw();
            client.setSoTimeout(0);
            assertThat(served.getInputStream().read()).isEqualTo(2);
            assertThat(client.getInputStream().read()).isEqualTo(3);
        }
    }

    @Test
    void answersThatAreFrozenArriveLaterAndRequestsAtOnce() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Gate gate = new Gate(server::getLocalPort);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), gate.port());
                Socket served = server.accept()) {
            gate.freezeAnswers();
            served.getOutputStream().write(3);
            client.getOutputStream().write(2);
            assertThat(served.getInputStream().read()).isEqualTo(2);
            client.setSoTimeout(200);
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);

            gate.thaw();
            client.setSoTimeout(0);
            assertThat(client.getInputStream().read()).isEqualTo(3);
        }
    }

    @Test
    void aCutClosesBothEnds() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Gate gate = new Gate(server::getLocalPort);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), gate.port());
                Socket served = server.accept()) {
            client.getOutputStream().write(1);
            assertThat(served.getInputStream().read()).isEqualTo(1);

            gate.cut();

            assertThat(client.getInputStream().read()).isEqualTo(-1);
            assertThat(served.getInputStream().read()).isEqualTo(-1);
        }
    }
}
