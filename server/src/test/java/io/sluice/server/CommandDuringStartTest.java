package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import io.sluice.server.api.ApiPort;
import io.sluice.server.api.TokenFile;
import io.sluice.server.config.ControlRole;
import io.sluice.testkit.process.FreePorts;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A port is open before the start has ended, so a command may come then. */
@Timeout(60)
class CommandDuringStartTest {
    @TempDir
    private Path home;

    @Test
    void aReloadThatComesAsSoonAsThePortIsOpenReadsTheConfiguration() throws Exception {
        ServerFiles files = new ServerFiles(home);
        files.write("conf/shop/instance.properties", """
                canal.instance.master.address = 127.0.0.1:9
                canal.instance.tsdb.enable = false
                canal.mq.topic = shop
                """);
        files.write("conf/canal.properties", """
                canal.serverMode = kafka
                kafka.bootstrap.servers = 127.0.0.1:9
                canal.destinations = shop
                canal.file.data.dir = %s
                canal.metrics.pull.port = -1
                canal.control.port = %d
                """.formatted(home.resolve("cursors"), FreePorts.next()));
        String token = TokenFile.add(home.resolve("conf/control-access"), "an.operator", ControlRole.ADMINISTRATOR);
        CompletableFuture<HttpResponse<String>> answer = new CompletableFuture<>();
        SluiceServer server;
        try (WhenOpen unused = new WhenOpen(port -> answer.complete(reload(port, token)))) {
            server = files.start();
        }
        try {
            assertThat(answer.getNow(null).body()).contains("\"changed\":[]");
            assertThat(answer.getNow(null).statusCode()).isEqualTo(200);
        } finally {
            server.stop(Duration.ZERO);
        }
    }

    private static HttpResponse<String> reload(InetSocketAddress port, String token) {
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.getPort() + "/api/v1/reload"))
                                    .header("Authorization", "Bearer " + token)
                                    .POST(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Calls when the control API is open, before the start continues. */
    private static final class WhenOpen extends UnsynchronizedAppenderBase<ILoggingEvent> implements AutoCloseable {
        private final Logger logger = (Logger) LoggerFactory.getLogger(ApiPort.class);
        private final Consumer<InetSocketAddress> call;

        WhenOpen(Consumer<InetSocketAddress> call) {
            this.call = call;
            setContext(logger.getLoggerContext());
            start();
            logger.addAppender(this);
        }

        @Override
        protected void append(ILoggingEvent event) {
            if (event.getArgumentArray() != null && event.getArgumentArray()[0] instanceof InetSocketAddress port) {
                call.accept(port);
            }
        }

        @Override
        public void close() {
            logger.detachAppender(this);
            stop();
        }
    }
}
