package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an operator has set for the delivery of an instance holds when its process is killed and started again, or another server takes over. */
@Tag("thorough")
@Timeout(900)
class KeptPauseIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String NODE = "/otter/sluice/destinations/printed/pace";

    private static MySqlServer mysql;

    @BeforeAll
    static void startMySql() {
        mysql = MySqlServer.start();
        Pipeline.allow(mysql);
    }

    @AfterAll
    static void stopMySql() {
        mysql.close();
    }

    @BeforeEach
    void makeTable() {
        mysql.execute(
                "drop database if exists printed",
                "create database printed",
                "create table printed.orders (id int primary key)");
    }

    @Test
    void theyHoldOnTheServerThatTakesOver() throws Exception {
        try (ZooKeeperNode zooKeeper = ZooKeeperNode.start();
                PackagedServer one = member(zooKeeper);
                PackagedServer other = member(zooKeeper)) {
            ask(one, "token", "add", "ops", "--role", "administrator", "--save");
            ask(other, "token", "add", "ops", "--role", "administrator", "--save");
            one.startToRead();
            other.start();
            mysql.execute("insert into printed.orders values (1)");
            await().atMost(PATIENCE).until(() -> isPrinted(one, 1));
            ask(one, "limit", "printed", "--rows", "5000");
            ask(one, "pause", "printed", "--reason", "broker maintenance");
            assertThat(other.ask("pause", "printed").output()).contains("does not run here");
            assertThat(ask(other, "status")).doesNotContain("paused");
            assertThat(zooKeeper.text(NODE)).contains("broker maintenance");

            one.kill();
            mysql.execute("insert into printed.orders values (2)");

            await().alias("the store holds what is not delivered")
                    .atMost(PATIENCE)
                    .until(() -> storedEntries(other) > 0);
            assertThat(ask(other, "status")).contains("paused since", "ops: broker maintenance", "at most 5000 rows/s");
            assertThat(isPrinted(other, 2)).isFalse();
            ask(other, "resume", "printed");
            await().atMost(PATIENCE).until(() -> isPrinted(other, 2));

            one.start();
            other.stop();
            mysql.execute("insert into printed.orders values (3)");
            await().atMost(PATIENCE).until(() -> isPrinted(one, 3));
            assertThat(ask(one, "status")).contains("at most 5000 rows/s").doesNotContain("paused since");
        }
    }

    private static int storedEntries(PackagedServer server) throws Exception {
        return new ObjectMapper()
                .readTree(ask(server, "status", "--json"))
                .get(0)
                .path("store")
                .path("entries")
                .asInt();
    }

    private static PackagedServer member(ZooKeeperNode zooKeeper) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "canal.port", Integer.toString(FreePorts.next()),
                "canal.register.ip", "127.0.0.1",
                "canal.zkServers", zooKeeper.connectString(),
                "canal.zookeeper.session.timeout", "10000",
                "canal.zookeeper.balance.delay", "0",
                "canal.instance.global.spring.xml", "classpath:spring/default-instance.xml",
                "canal.instance.tsdb.enable", "false"));
        return server(settings);
    }

    @Test
    void pausesPointsAndLimitsOutliveTheProcess() throws Exception {
        try (PackagedServer server = server(Map.of())) {
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
                    .until(() -> storedEntries(server) > 0);
            assertThat(ask(server, "status")).contains(paused, "ops: broker maintenance", "at most 5000 rows/s");
            assertThat(server.wholeLogs()).contains("what an operator has set before still holds");
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

    private static String ask(PackagedServer server, String... arguments) {
        PackagedServer.Outcome outcome = server.ask(arguments);
        assertThat(outcome.exitCode()).as(outcome.output()).isZero();
        return outcome.output();
    }

    private static boolean isPrinted(PackagedServer server, int id) throws Exception {
        return server.printedLines().stream().anyMatch(line -> line.contains("\"id\":\"" + id + "\""));
    }

    private static PackagedServer server(Map<String, String> more) {
        Map<String, String> source = new HashMap<>();
        source.put("canal.instance.master.address", mysql.host() + ":" + mysql.port());
        source.put("canal.instance.dbUsername", Pipeline.USER);
        source.put("canal.instance.dbPassword", Pipeline.PASSWORD);
        source.put("canal.instance.filter.regex", "printed\\\\..*");
        source.put("canal.mq.topic", "any");
        Map<String, String> settings = new HashMap<>(more);
        settings.put("canal.serverMode", "stdout");
        settings.put("canal.control.port", Integer.toString(FreePorts.next()));
        return new PackagedServer("printed", settings, source);
    }
}
