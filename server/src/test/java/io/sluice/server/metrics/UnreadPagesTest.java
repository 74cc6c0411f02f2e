package io.sluice.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.sluice.protocol.time.Time;
import io.sluice.server.port.RejectionLog;
import io.sluice.server.port.UnsentAnswers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Pages that are not read are limited in memory, for all connections together. */
class UnreadPagesTest {
    private static final int ROOM = 1_000_000;

    private final UnsentAnswers unsent = new UnsentAnswers(ROOM);
    private final HttpResponse page = HttpResponse.text(HttpResponseStatus.OK, "a".repeat(500_000));

    @Test
    void aLargePageIsNotSentWhileOthersAreNotReadAndIsSentAfterwards() {
        assertThat(unsent.add(ROOM)).isTrue();

        assertThat(statusOf("GET")).startsWith("HTTP/1.1 503");
        assertThat(statusOf("HEAD")).startsWith("HTTP/1.1 200");

        unsent.remove(ROOM);

        assertThat(statusOf("GET")).startsWith("HTTP/1.1 200");
        assertThat(statusOf("GET")).startsWith("HTTP/1.1 200");
        assertThat(unsent.add(ROOM)).isTrue();
    }

    private String statusOf(String method) {
        EmbeddedChannel channel = new EmbeddedChannel(
                new HttpServerCodec(),
                new PageHandler(
                        Map.of("/metrics", accepted -> CompletableFuture.completedFuture(page)),
                        new RejectionLog(Time.SYSTEM),
                        unsent));
        channel.writeInbound(Unpooled.copiedBuffer(method + " /metrics HTTP/1.1\r\n\r\n", StandardCharsets.US_ASCII));
        ByteBuf answer = channel.readOutbound();
        String status = answer.toString(0, 12, StandardCharsets.US_ASCII);
        answer.release();
        channel.finishAndReleaseAll();
        return status;
    }
}
