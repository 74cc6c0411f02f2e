package io.sluice.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.wire.Scramble;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An operator uses the pages of the admin server in a browser, with a real server, MySQL and Kafka behind them. */
@Timeout(1200)
class PagesIT {
    private static final String POLLING_PASSWORD = "servers-ask-with-this";

    private final int controlPort = FreePorts.next();
    private final int managementPort = FreePorts.next();
    private final int adminPort = FreePorts.next();

    @Test
    void anOperatorFindsAndDoesWhatIsNeeded() throws Exception {
        // Meanwhile the servers start.
        CompletableFuture<?> installed = CompletableFuture.runAsync(PagesIT::installBrowser);
        try (UnpackedServer admin = new UnpackedServer("sluice.admin.package", Map.of())) {
            admin.run(
                    "startup.sh",
                    "--server.port=" + adminPort,
                    "--sluice.admin.polling-password=" + Scramble.stored(POLLING_PASSWORD),
                    "--sluice.admin.canal-password=" + POLLING_PASSWORD);
            String password = Files.readString(admin.home().resolve("data/initial-password"))
                    .strip();
            assertThat(password).hasSizeGreaterThan(10);
            try (Stage stage = stage()) {
                installed.join();
                Commands.Outcome outcome = Commands.run(
                        Path.of("").toAbsolutePath(),
                        browser(stage, password.substring(password.lastIndexOf(' ') + 1)),
                        List.of("npx", "playwright", "test"));
                assertThat(outcome.status())
                        .describedAs(outcome.output() + admin.logs() + stage.logs())
                        .isZero();
                assertThat(outcome.output()).contains(" passed");
            }
        }
    }

    private static void installBrowser() {
        Commands.require(
                Path.of("").toAbsolutePath(),
                Map.of(),
                List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"));
    }

    private Map<String, String> browser(Stage stage, String password) {
        Map<String, String> environment = new HashMap<>();
        environment.put("ADMIN_URL", "http://127.0.0.1:" + adminPort);
        environment.put("INITIAL_PASSWORD", password);
        environment.put("STAGE_URL", stage.url());
        environment.put("CONTROL_URL", "http://127.0.0.1:" + controlPort);
        environment.put("CONTROL_TOKEN", stage.token());
        environment.put("MANAGEMENT_PORT", Integer.toString(managementPort));
        environment.put("MYSQL_ADDRESS", stage.mysqlAddress());
        environment.put("CANAL_PROPERTIES", canalProperties(stage));
        environment.put("CI", "1");
        return environment;
    }

    /** What the server is to get from the admin server. */
    private String canalProperties(Stage stage) {
        return """
                canal.serverMode = kafka
                canal.auto.scan.interval = 1
                canal.instance.restart = backoff
                canal.metrics.pull.port = %d
                canal.control.port = %d
                canal.mq.flatMessage = true
                kafka.bootstrap.servers = %s
                """.formatted(FreePorts.next(), controlPort, stage.kafkaAddress());
    }

    /** A source, a broker, and a server that knows nothing but the admin server; it is not started. */
    private Stage stage() throws IOException {
        MySqlServer mysql = MySqlServer.start();
        KafkaServer kafka = KafkaServer.start();
        kafka.createTopic(Stage.TOPIC, 1);
        mysql.execute(
                "create user canal identified with mysql_native_password by 'canal'",
                "grant select, replication slave, replication client on *.* to canal",
                "create database shop",
                "create table shop.orders (id int primary key auto_increment, item varchar(50))");
        UnpackedServer server = new UnpackedServer("sluice.package", Map.of());
        server.write(
                "conf/canal.properties", """
                canal.admin.manager = 127.0.0.1:%d
                canal.admin.port = %d
                canal.admin.user = admin
                canal.admin.passwd = %s
                canal.register.ip = 127.0.0.1
                """.formatted(adminPort, managementPort, Scramble.stored(POLLING_PASSWORD)));
        String token = server.run("sluice.sh", "token", "add", "admin", "--role", "administrator")
                .lines()
                .flatMap(line -> List.of(line.strip().split("\\s+")).stream())
                .filter(word -> word.startsWith("sluice_"))
                .findFirst()
                .orElseThrow();
        return new Stage(mysql, kafka, server, token);
    }
}
