package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import io.sluice.client.ClientOptions;
import io.sluice.client.PullClient;
import io.sluice.protocol.wire.Scramble;
import io.sluice.server.admin.AdminClient;
import io.sluice.server.admin.AdminPort;
import io.sluice.server.api.ApiPort;
import io.sluice.server.api.TokenFile;
import io.sluice.server.config.load.ConfigReader;
import io.sluice.server.config.port.ControlRole;
import io.sluice.server.instance.Instance;
import io.sluice.testkit.process.FreePorts;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A port is open before the start has ended, so a command may come then. */
@Timeout(60)
class CommandDuringStartTest {
    private static final String PASSWORD = "carry them all";

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
        try (WhenOpen unused = new WhenOpen(ApiPort.class, port -> answer.complete(post(port, token, "reload")))) {
            server = files.start();
        }
        try {
            assertThat(answer.getNow(null).body()).contains("\"changed\":[]");
            assertThat(answer.getNow(null).statusCode()).isEqualTo(200);
        } finally {
            server.stop(Duration.ZERO);
        }
    }

    /** Where clients pull is opened last. What removes an instance there also forgets the counts of that port. */
    @Test
    void whatComesWhileThePortOfClientsIsClosedIsDoneAndClientsFindItDone() throws Exception {
        ServerFiles files = new ServerFiles(home);
        for (String destination : List.of("shop", "till", "later")) {
            files.write("conf/%s/instance.properties".formatted(destination), """
                    canal.instance.master.address = 127.0.0.1:9
                    canal.instance.tsdb.enable = false
                    """);
        }
        String settings = """
                canal.serverMode = tcp
                canal.ip = 127.0.0.1
                canal.port = 0
                canal.instance.global.lazy = true
                canal.file.data.dir = %s
                canal.metrics.pull.port = -1
                canal.admin.ip = 127.0.0.1
                canal.admin.port = 0
                canal.admin.user = an.operator
                canal.admin.passwd = %s
                canal.control.port = %d
                """.formatted(home.resolve("cursors"), Scramble.stored(PASSWORD), FreePorts.next());
        files.write("conf/canal.properties", settings + "canal.destinations = shop,till\n");
        String token = TokenFile.add(home.resolve("conf/control-access"), "an.operator", ControlRole.ADMINISTRATOR);
        List<String> answers = new ArrayList<>();
        ConfigReader reader = files.reader();
        SluiceServer server;
        try (WhenOpen unusedManagement = new WhenOpen(AdminPort.class, port -> {
                    try (AdminClient client = AdminClient.open(port, "an.operator", PASSWORD)) {
                        answers.add(client.instance("shop", "start").getMessage());
                        answers.add(client.server("list").getMessage());
                    }
                });
                WhenOpen unusedControl = new WhenOpen(ApiPort.class, port -> {
                    files.write("conf/canal.properties", settings + "canal.destinations = shop,later\n");
                    answers.add(post(port, token, "reload").body());
                    answers.add(post(port, token, "instances/later/start").body());
                    answers.add(Integer.toString(
                            post(port, token, "instances/till/start").statusCode()));
                })) {
            server = SluiceServer.start(reader.start(), reader);
        }
        try {
            assertThat(answers).hasSize(5);
            assertThat(answers.get(0)).as("start of shop").isEqualTo("1");
            assertThat(answers.get(1)).as("those that run").isEqualTo("shop");
            assertThat(answers.get(2)).contains("\"added\":[\"later\"]", "\"removed\":[\"till\"]");
            assertThat(answers.get(3)).as("start of later").contains("\"changed\":true");
            assertThat(answers.get(4)).as("start of till, which was removed").isEqualTo("404");
            assertThat(server.instances()).extracting(Instance::name).containsExactly("shop", "later");
            int port = server.port().orElseThrow().address().getPort();
            try (PullClient client = PullClient.connect(ClientOptions.of("127.0.0.1", port, "later"))) {
                client.subscribe("");
            }
        } finally {
            server.stop(Duration.ZERO);
        }
    }

    private static HttpResponse<String> post(InetSocketAddress port, String token, String call) {
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.getPort() + "/api/v1/" + call))
                                    .header("Authorization", "Bearer " + token)
                                    .POST(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** What is done when a port is open. */
    private interface Command {
        void at(InetSocketAddress port) throws Exception;
    }

    /** Calls when the port is open that a class opens and logs, before the start continues. */
    private static final class WhenOpen extends UnsynchronizedAppenderBase<ILoggingEvent> implements AutoCloseable {
        private final Logger logger;
        private final Level level;
        private final Command command;

        WhenOpen(Class<?> port, Command command) {
            this.logger = (Logger) LoggerFactory.getLogger(port);
            this.command = command;
            this.level = logger.getLevel();
            logger.setLevel(Level.INFO);
            setContext(logger.getLoggerContext());
            start();
            logger.addAppender(this);
        }

        @Override
        protected void append(ILoggingEvent event) {
            if (event.getArgumentArray() != null && event.getArgumentArray()[0] instanceof InetSocketAddress port) {
                try {
                    command.at(port);
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        }

        @Override
        public void close() {
            logger.detachAppender(this);
            logger.setLevel(level);
            stop();
        }
    }
}
