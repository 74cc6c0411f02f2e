package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.port.RejectionLog;
import io.sluice.testkit.log.LogLines;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A caller sends requests without waiting for the answers. */
class ApiHandlerTest {
    @TempDir
    private Path home;

    @Test
    void requestsThatWaitAreAnsweredInOrder() throws Exception {
        try (ApiChannel channel = new ApiChannel(home)) {
            channel.send(channel.call().repeat(10));
            assertThat(channel.received()).isEmpty();

            channel.runCalls();

            assertThat(channel.received().split("HTTP/1.1 200 ", -1)).hasSize(1 + 10);
            assertThat(channel.isOpen()).isTrue();
        }
    }

    @Test
    void aConnectionWithTooManyThatWaitIsClosedOnce() throws Exception {
        try (LogLines lines = LogLines.of(RejectionLog.class);
                ApiChannel channel = new ApiChannel(home)) {
            channel.send(channel.call().repeat(3000));

            assertThat(channel.isOpen()).isFalse();
            assertThat(channel.rejections()).isOne();
            assertThat(lines.texts())
                    .singleElement()
                    .asString()
                    .endsWith("it sends requests without waiting for the answers");
        }
    }

    @Test
    void callsThatNoWorkerTakesAreNotCountedAsRunning() throws Exception {
        try (ApiChannel channel = new ApiChannel(home)) {
            channel.setBusy(true);
            for (int i = 0; i <= ApiChannel.MAX_RUNNING; i++) {
                channel.send(channel.call());
                assertThat(channel.received()).startsWith("HTTP/1.1 503 ");
            }

            channel.setBusy(false);
            channel.send(channel.call());
            channel.runCalls();

            assertThat(channel.received()).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void nothingIsReadAfterTheLastRequest() throws Exception {
        try (ApiChannel channel = new ApiChannel(home)) {
            channel.send(channel.call().replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n") + channel.call());
            channel.runCalls();

            assertThat(channel.received().split("HTTP/1.1 200 ", -1)).hasSize(1 + 1);
            assertThat(channel.isOpen()).isFalse();
            assertThat(channel.rejections()).isZero();
        }
    }
}
