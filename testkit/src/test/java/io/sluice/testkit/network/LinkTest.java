package io.sluice.testkit.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LinkTest {
    private static Socket connect(Link link) throws IOException {
        return new Socket(
                InetAddress.getLoopbackAddress(),
                Integer.parseInt(link.address().substring(link.address().indexOf(':') + 1)));
    }

    @Test
    void whatIsSentOverACutLineArrivesWhenItIsWhole() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Link link = Link.to(server.getLocalPort());
                Socket client = connect(link);
                Socket served = server.accept()) {
            client.getOutputStream().write(1);
            assertThat(served.getInputStream().read()).isEqualTo(1);

            link.cut();
            client.getOutputStream().write(2);
            served.getOutputStream().write(3);
            client.setSoTimeout(200);
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);

            link.heal();
            client.setSoTimeout(0);
            assertThat(served.getInputStream().read()).isEqualTo(2);
            assertThat(client.getInputStream().read()).isEqualTo(3);
        }
    }

    @Test
    void aResetEndsBothEnds() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Link link = Link.to(server.getLocalPort());
                Socket client = connect(link);
                Socket served = server.accept()) {
            link.reset();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            assertThat(served.getInputStream().read()).isEqualTo(-1);
        }
    }
}
