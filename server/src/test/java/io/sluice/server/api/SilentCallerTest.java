package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.sluice.protocol.time.Time;
import io.sluice.server.HandWorkers;
import io.sluice.server.config.port.ControlRole;
import io.sluice.server.port.Admission;
import io.sluice.server.port.RejectionLog;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A caller sends nothing while it waits for an answer, and nothing after it. */
class SilentCallerTest {
    @TempDir
    private Path home;

    private final HandWorkers workers = new HandWorkers();
    private final RecordingOperations operations = new RecordingOperations();
    private final Admission admission = new Admission(10, 10);

    @Test
    void aCallerMayBeSilentAsLongAsItsCallTakesAndNotForLongAfterTheAnswer() throws Exception {
        Path access = home.resolve("control-access");
        String token = TokenFile.add(access, "an.operator", ControlRole.OPERATOR);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try {
            EmbeddedChannel channel = new EmbeddedChannel(
                    new ReadTimeoutHandler(ApiPort.SILENCE_SECONDS),
                    new HttpServerCodec(),
                    new RequestBodies(),
                    new ApiHandler(ApiChannel.context(
                            home, access, operations, timer, workers, admission, new RejectionLog(Time.SYSTEM))));
            admission.add(channel);
            channel.freezeTime();
            channel.writeInbound(Unpooled.copiedBuffer(
                    "POST /api/v1/instances/shop/start HTTP/1.1\r\nAuthorization: Bearer " + token + "\r\n\r\n",
                    StandardCharsets.US_ASCII));

            pass(channel, 600);

            assertThat(channel.isActive()).isTrue();
            workers.runAll();
            channel.runPendingTasks();
            ByteBuf answer = channel.readOutbound();
            assertThat(answer.toString(StandardCharsets.US_ASCII)).startsWith("HTTP/1.1 200");
            answer.release();
            pass(channel, ApiPort.SILENCE_SECONDS - 1);
            assertThat(channel.isActive()).isTrue();
            pass(channel, 2);
            assertThat(channel.isActive()).isFalse();
            channel.finishAndReleaseAll();
        } finally {
            timer.shutdownNow();
        }
    }

    private static void pass(EmbeddedChannel channel, int seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }
}
