package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.sluice.protocol.time.Time;
import io.sluice.server.port.RejectionLog;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller, known or not, that does not stop sending a body. */
class RequestBodiesTest {
    private static final String CHUNK = "2000\r\n" + "x".repeat(0x2000) + "\r\n";

    private final RejectionLog rejections = new RejectionLog(Time.SYSTEM);
    private final EmbeddedChannel channel = new EmbeddedChannel(new HttpServerCodec(), new RequestBodies(rejections));

    @BeforeEach
    void stopTime() {
        channel.freezeTime();
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void send(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
    }

    private void sendTooMuch(String length) {
        send("POST /api/v1/config/check HTTP/1.1\r\n" + length + "\r\n\r\n");
        send(CHUNK.repeat(9));
        ByteBuf answer = channel.readOutbound();
        assertThat(answer.toString(StandardCharsets.US_ASCII))
                .startsWith("HTTP/1.1 413 ")
                .containsIgnoringCase("connection: close");
        answer.release();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Transfer-Encoding: chunked", "Content-Length: 9000000000000000000"})
    void aBodyWithoutAnEndIsNotReadForLong(String length) {
        sendTooMuch(length);
        pass(RequestBodies.REST_SECONDS - 1);
        send(CHUNK.repeat(100));
        assertThat(channel.isOpen()).as("it may still read the answer").isTrue();

        pass(1);

        assertThat(channel.isOpen()).isFalse();
        assertThat(rejections.total()).isOne();
        assertThat(channel.inboundMessages()).isEmpty();
    }

    @Test
    void theConnectionIsClosedAtTheEndOfABodyThatIsTooLarge() {
        sendTooMuch("Transfer-Encoding: chunked");

        send(CHUNK + "0\r\n\r\n" + "GET / HTTP/1.1\r\n\r\n");

        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.inboundMessages()).isEmpty();
    }

    private void pass(int seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }
}
