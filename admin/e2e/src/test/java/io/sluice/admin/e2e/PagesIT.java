package io.sluice.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An operator uses the pages of the admin server in a browser, with a real server, MySQL and Kafka behind them. */
@Timeout(600)
class PagesIT {
    private static final String TOPIC = "shop";

    private final int controlPort = FreePorts.next();
    private final int adminPort = FreePorts.next();

    @Test
    void anOperatorFindsAndDoesWhatIsNeeded() throws Exception {
        try (UnpackedServer admin = new UnpackedServer("sluice.admin.package", Map.of())) {
            admin.run("startup.sh", "--server.port=" + adminPort);
            String password = Files.readString(admin.home().resolve("data/initial-password"))
                    .strip();
            assertThat(password).hasSizeGreaterThan(10);
            Commands.require(
                    Path.of("").toAbsolutePath(),
                    Map.of(),
                    List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"));
            try (Stage stage = stage()) {
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

    private Map<String, String> browser(Stage stage, String password) {
        Map<String, String> environment = new HashMap<>();
        environment.put("ADMIN_URL", "http://127.0.0.1:" + adminPort);
        environment.put("INITIAL_PASSWORD", password);
        environment.put("STAGE_URL", stage.url());
        environment.put("CONTROL_URL", "http://127.0.0.1:" + controlPort);
        environment.put("CONTROL_TOKEN", stage.token());
        environment.put("SOURCE", stage.source());
        environment.put("CI", "1");
        return environment;
    }

    /** A server that delivers {@code shop.orders} to Kafka, and runs. */
    private Stage stage() throws IOException {
        MySqlServer mysql = MySqlServer.start();
        KafkaServer kafka = KafkaServer.start();
        kafka.createTopic(TOPIC, 1);
        mysql.execute(
                "create user canal identified with mysql_native_password by 'canal'",
                "grant select, replication slave, replication client on *.* to canal",
                "create database shop",
                "create table shop.orders (id int primary key auto_increment, item varchar(50))");
        UnpackedServer server = new UnpackedServer("sluice.package", Map.of());
        server.write("conf/canal.properties", """
                canal.serverMode = kafka
                canal.destinations = shop
                canal.metrics.pull.port = %d
                canal.control.port = %d
                canal.mq.flatMessage = true
                kafka.bootstrap.servers = %s
                """.formatted(FreePorts.next(), controlPort, kafka.bootstrapServers()));
        server.write("conf/shop/instance.properties", """
                canal.instance.master.address = 127.0.0.1:%d
                canal.instance.dbUsername = canal
                canal.instance.dbPassword = canal
                canal.instance.filter.regex = shop\\\\..*
                canal.mq.topic = %s
                """.formatted(mysql.port(), TOPIC));
        String token = server.run("sluice.sh", "token", "add", "admin", "--role", "administrator")
                .lines()
                .flatMap(line -> List.of(line.strip().split("\\s+")).stream())
                .filter(word -> word.startsWith("sluice_"))
                .findFirst()
                .orElseThrow();
        server.start();
        return new Stage(mysql, kafka, server, token);
    }
}
