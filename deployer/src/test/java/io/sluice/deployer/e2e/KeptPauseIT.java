package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an operator has set for the delivery of an instance holds when its process is killed and started again. */
@Timeout(180)
class KeptPauseIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void pausesPointsAndLimitsOutliveTheProcess() throws Exception {
        try (MySqlServer mysql = MySqlServer.start()) {
            Pipeline.allow(mysql);
            mysql.execute("create database printed", "create table printed.orders (id int primary key)");
            try (PackagedServer server = server(mysql)) {
                ask(server, "token", "add", "ops", "--role", "administrator", "--save");
                server.startToRead();
                mysql.execute("insert into printed.orders values (1)");
                await().atMost(PATIENCE).until(() -> isPrinted(server, 1));
                ask(server, "limit", "printed", "--rows", "5000");
                ask(server, "pause", "printed", "--reason", "broker maintenance");
                String paused = ask(server, "status")
                        .lines()
                        .filter(line -> line.contains("paused since"))
                        .findFirst()
                        .orElseThrow();
                server.kill();
                mysql.execute("insert into printed.orders values (2)");

                server.startToRead();

                await().alias("the store holds what is not delivered")
                        .atMost(PATIENCE)
                        .until(() -> new ObjectMapper()
                                        .readTree(ask(server, "status", "--json"))
                                        .get(0)
                                        .path("store")
                                        .path("entries")
                                        .asInt()
                                > 0);
                assertThat(ask(server, "status")).contains(paused, "ops: broker maintenance", "at most 5000 rows/s");
                assertThat(server.logs()).contains("what an operator has set before the restart still holds");
                assertThat(isPrinted(server, 2)).isFalse();
                ask(server, "resume", "printed");
                await().atMost(PATIENCE).until(() -> isPrinted(server, 2));

                mysql.execute("insert into printed.orders values (3)");
                await().atMost(PATIENCE).until(() -> isPrinted(server, 3));
                BinlogEnd end = mysql.binlogEnd();
                ask(server, "pause", "printed", "--to", end.file() + ":" + (end.offset() + 1));
                server.kill();
                mysql.execute("insert into printed.orders values (4)", "insert into printed.orders values (5)");
                server.startToRead();
                await().atMost(PATIENCE).until(() -> ask(server, "status").contains("is reached"));
                assertThat(isPrinted(server, 4)).isFalse();
                assertThat(isPrinted(server, 5)).isFalse();
                server.kill();
                server.startToRead();
                assertThat(ask(server, "status")).contains("paused since", "is reached");

                server.kill();
                Path kept = server.instanceFolder().resolve("pace");
                Files.writeString(kept, "torn");
                server.startToRead();
                assertThat(ask(server, "status")).contains("the kept pause in " + kept + " cannot be read");
                server.kill();
                server.configure("canal.instance.pause.keep", "false");
                server.startToRead();
                await().atMost(PATIENCE).until(() -> isPrinted(server, 5));
            }
        }
    }

    private static String ask(PackagedServer server, String... arguments) {
        PackagedServer.Outcome outcome = server.ask(arguments);
        assertThat(outcome.exitCode()).as(outcome.output()).isZero();
        return outcome.output();
    }

    private static boolean isPrinted(PackagedServer server, int id) throws Exception {
        List<String> lines = Files.readAllLines(server.standardOutput());
        return lines.stream().anyMatch(line -> line.contains("\"id\":\"" + id + "\""));
    }

    private static PackagedServer server(MySqlServer mysql) {
        Map<String, String> source = new HashMap<>();
        source.put("canal.instance.master.address", mysql.host() + ":" + mysql.port());
        source.put("canal.instance.dbUsername", Pipeline.USER);
        source.put("canal.instance.dbPassword", Pipeline.PASSWORD);
        source.put("canal.instance.filter.regex", "printed\\\\..*");
        source.put("canal.mq.topic", "any");
        return new PackagedServer(
                "printed",
                Map.of("canal.serverMode", "stdout", "canal.control.port", Integer.toString(FreePorts.next())),
                source);
    }
}
