package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ServerConnectionTest {
    private FakeServer server;

    @BeforeEach
    void start() throws IOException {
        server = FakeServer.start();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private PullClient connect(Duration timeout) throws IOException {
        ServerAddress address = server.address();
        return PullClient.connect(
                ClientOptions.of(address.host(), address.port(), "example").withTimeout(timeout));
    }

    /** Bytes of a packet may be left that would be read as the next one's length. */
    @Test
    void nothingIsReadAfterAReadHasFailed() throws IOException {
        server.onGet(out -> {
            out.writeInt(-1);
            FakeServer.sendNothing(out);
        });
        try (PullClient client = connect(Duration.ofMinutes(1))) {
            assertThatThrownBy(() -> client.getWithoutAck(1)).hasMessageStartingWith("packet length -1 exceeds");

            assertThatThrownBy(() -> client.getWithoutAck(1))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the connection is closed");
        }
    }

    @Test
    void aRejectionLeavesTheConnectionOpen() throws IOException {
        server.reject("(a+)+");
        try (PullClient client = connect(Duration.ofMinutes(1))) {
            assertThatThrownBy(() -> client.subscribe("(a+)+")).isInstanceOf(RequestRejectedException.class);

            client.subscribe("shop\\..*");

            assertThat(client.getWithoutAck(1).isEmpty()).isTrue();
        }
    }

    @Test
    void anyDurationIsALimit() throws IOException {
        Duration forever = ChronoUnit.FOREVER.getDuration();
        try (PullClient client = connect(forever)) {
            assertThat(client.getWithoutAck(1, forever).isEmpty()).isTrue();
            assertThat(client.getWithoutAck(1, Duration.ZERO).isEmpty()).isTrue();
        }
    }
}
