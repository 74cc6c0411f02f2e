package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.deployer.e2e.PackagedServer.Outcome;
import io.sluice.testkit.kafka.KafkaOptions;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An operator has everything tried that an instance needs; one thing is wrong each time, and nothing else is reported as failed.
 *
 * <p>Most of it is asked of a server that runs, which has no source of its own, and so no part in what is wrong: {@code sluice.sh
 * check --connect} tries the same, but as a process for each question.
 */
@Timeout(900)
class ConnectIT {
    private static final String WITHOUT_REPLICATION = "reader";
    private static final String WITHOUT_SELECT = "replica";

    private static MySqlServer mysql;
    private static KafkaServer kafka;
    private static PackagedServer running;
    private static ControlApi api;

    private final Map<String, String> server = new LinkedHashMap<>();
    private final Map<String, String> instance = new LinkedHashMap<>();

    /** A finding that is not ok. */
    private record Complaint(String target, String subject, String verdict, String evidence, String remedy) {}

    @BeforeAll
    static void start() {
        mysql = MySqlServer.start();
        Pipeline.allow(mysql);
        for (String user : List.of(WITHOUT_REPLICATION, WITHOUT_SELECT)) {
            mysql.createUser(user, Pipeline.PASSWORD, AuthPlugin.MYSQL_NATIVE_PASSWORD);
        }
        mysql.execute(
                "create database shop",
                "create table shop.orders (id int primary key, price int)",
                "grant select, replication client on *.* to " + WITHOUT_REPLICATION,
                "grant replication slave, replication client on *.* to " + WITHOUT_SELECT);
        kafka = KafkaServer.start(KafkaOptions.defaults().with("auto.create.topics.enable", "false"));
        kafka.createTopic("shop", 1);
        startServer();
    }

    private static void startServer() {
        int port = FreePorts.next();
        Map<String, String> server = goodServer();
        server.put("canal.control.port", Integer.toString(port));
        Map<String, String> instance = goodInstance();
        instance.put("canal.instance.master.address", "127.0.0.1:" + FreePorts.next());
        running = new PackagedServer("shop", server, instance);
        String token = running.ask("token", "add", "editor", "--role", "administrator")
                .output()
                .lines()
                .filter(line -> line.contains("sluice_"))
                .map(line -> line.substring(line.indexOf("sluice_")).strip())
                .findFirst()
                .orElseThrow();
        running.start();
        api = new ControlApi(port, token);
    }

    @AfterAll
    static void stop() {
        running.close();
        mysql.close();
        kafka.close();
    }

    @BeforeEach
    void configure() {
        server.putAll(goodServer());
        instance.putAll(goodInstance());
    }

    private static Map<String, String> goodServer() {
        Map<String, String> server = new LinkedHashMap<>();
        server.put("canal.serverMode", "kafka");
        server.put("kafka.bootstrap.servers", kafka.bootstrapServers());
        return server;
    }

    private static Map<String, String> goodInstance() {
        Map<String, String> instance = new LinkedHashMap<>();
        instance.put("canal.instance.master.address", mysql.host() + ":" + mysql.port());
        instance.put("canal.instance.dbUsername", Pipeline.USER);
        instance.put("canal.instance.dbPassword", Pipeline.PASSWORD);
        instance.put("canal.instance.filter.regex", "shop\\\\..*");
        instance.put("canal.mq.topic", "shop");
        return instance;
    }

    @Test
    void findsNothingWhereAllIsAsItHasToBe() {
        try (ZooKeeperNode zooKeeper = ZooKeeperNode.start()) {
            server.put("canal.zkServers", zooKeeper.connectString());
            try (PackagedServer packaged = new PackagedServer("shop", server, instance)) {
                Outcome outcome = packaged.ask("check", "--connect", "shop");

                assertThat(outcome.exitCode()).as(outcome.output()).isZero();
                assertThat(outcome.output())
                        .contains("shop: source " + mysql.host() + ":" + mysql.port())
                        .containsPattern("ok +REPLICATION SLAVE +the binlog can be read")
                        .containsPattern("ok +topic shop +it has 1 partition, of which 1 is needed")
                        .containsPattern("ok +nodes of shop +they can be read and made; no server runs it")
                        .contains(" 0 warning, 0 failed, 0 unknown");
                assertThat(zooKeeper.text("/otter")).isNull();
            }
        }
    }

    @Test
    void aSourceThatDoesNotAnswer() throws Exception {
        instance.put("canal.instance.master.address", "127.0.0.1:" + FreePorts.next());

        assertThat(failures()).singleElement().satisfies(failure -> {
            assertThat(failure.subject()).isEqualTo("connection");
            assertThat(failure.target()).startsWith("source 127.0.0.1:");
            assertThat(failure.remedy()).contains("check the host's address");
        });
    }

    @Test
    void aWrongPassword() throws Exception {
        instance.put("canal.instance.dbPassword", "hunter2");

        assertThat(failures()).singleElement().satisfies(failure -> {
            assertThat(failure.subject()).isEqualTo("login");
            assertThat(failure.evidence()).contains("Access denied").doesNotContain("hunter2");
            assertThat(failure.remedy()).contains("canal.instance.dbUsername and canal.instance.dbPassword");
        });
    }

    @Test
    void aBinlogOfStatements() throws Exception {
        mysql.execute("set global binlog_format = STATEMENT");
        try {
            assertThat(failures()).singleElement().satisfies(failure -> {
                assertThat(failure.subject()).isEqualTo("binlog_format");
                assertThat(failure.evidence()).contains("STATEMENT", "no rows are delivered");
                assertThat(failure.remedy()).contains("set global binlog_format=ROW");
            });
        } finally {
            mysql.execute("set global binlog_format = ROW");
        }
    }

    @Test
    void aSourceWithoutTheGtidsThatAreWanted() throws Exception {
        instance.put("canal.instance.gtidon", "true");
        assertThat(failures()).isEmpty();

        instance.put("canal.instance.master.gtid", "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5");

        assertThat(failures()).first().satisfies(failure -> {
            assertThat(failure.subject()).isEqualTo("GTIDs");
            assertThat(failure.evidence()).contains("gtid_mode=OFF", "the configured start is a GTID set");
        });
    }

    @Test
    void aUserThatMayNotReplicate() throws Exception {
        instance.put("canal.instance.dbUsername", WITHOUT_REPLICATION);

        assertThat(failures()).singleElement().satisfies(failure -> {
            assertThat(failure.subject()).isEqualTo("REPLICATION SLAVE");
            assertThat(failure.evidence()).contains("Access denied");
            assertThat(failure.remedy()).isEqualTo("run on the source: GRANT REPLICATION SLAVE ON *.* TO 'reader'@'%'");
        });
    }

    @Test
    void aUserThatMayNotReadTables() throws Exception {
        instance.put("canal.instance.dbUsername", WITHOUT_SELECT);

        assertThat(failures()).singleElement().satisfies(failure -> {
            assertThat(failure.subject()).isEqualTo("SELECT");
            assertThat(failure.remedy()).contains("grant select on *.* to 'replica'@'%'");
        });

        instance.put("canal.instance.filter.regex", "shop\\\\.orders");
        assertThat(failures()).singleElement().satisfies(failure -> {
            assertThat(failure.evidence()).contains("the definition of shop.orders cannot be read: server error 1142");
            assertThat(failure.remedy()).isEqualTo("grant select on `shop`.* to 'replica'@'%'");
        });
    }

    @Test
    void aCursorWhoseBinlogIsPurged() throws IOException {
        BinlogEnd before = mysql.binlogEnd();
        BinlogEnd after = mysql.rotateBinlog();
        await().until(() -> {
            mysql.execute("purge binary logs to '" + after.file() + "'"); // which leaves a file that a dump still reads
            return after.file().equals(mysql.query("show binary logs"));
        });
        try (PackagedServer packaged = new PackagedServer("shop", server, instance)) {
            Files.writeString(packaged.instanceFolder().resolve("meta.dat"), """
                    {"clientDatas":[{"clientIdentity":{"clientId":1001,"destination":"shop","filter":""},
                    "cursor":{"identity":{"slaveId":-1,"sourceAddress":{"address":"%s","port":%d}},
                    "postion":{"gtid":"","included":false,"journalName":"%s","position":%d,"serverId":1,
                    "timestamp":1700000000000}}}],"destination":"shop"}
                    """.formatted(
                            mysql.host(), mysql.port(), before.file(), before.offset()));

            assertThat(failures(packaged)).singleElement().satisfies(failure -> {
                assertThat(failure.subject()).isEqualTo("cursor");
                assertThat(failure.evidence())
                        .contains(before.file() + ":" + before.offset() + " is gone", after.file());
                assertThat(failure.remedy()).contains("canal.auto.reset.latest.pos.mode");
            });
        }
    }

    @Test
    void aBrokerThatDoesNotAnswer() throws Exception {
        server.put("kafka.bootstrap.servers", "127.0.0.1:" + FreePorts.next());

        assertThat(failures()).singleElement().satisfies(failure -> {
            assertThat(failure.target()).isEqualTo("kafka");
            assertThat(failure.subject()).isEqualTo("connection");
            assertThat(failure.evidence()).contains("cannot be reached: Connection refused");
        });
    }

    @Test
    void aTopicThatIsNotThereOrHasTooFewPartitions() throws Exception {
        instance.put("canal.mq.topic", "till");
        assertThat(failures()).singleElement().satisfies(failure -> {
            assertThat(failure.subject()).isEqualTo("topic till");
            assertThat(failure.evidence()).contains("does not exist", "auto.create.topics.enable=false");
        });

        instance.put("canal.mq.topic", "shop");
        instance.put("canal.mq.partition", "2");
        assertThat(failures()).singleElement().satisfies(failure -> {
            assertThat(failure.subject()).isEqualTo("topic shop");
            assertThat(failure.evidence()).isEqualTo("it has 1 partition, but messages go to 3");
        });
    }

    @Test
    void aZooKeeperThatDoesNotAnswer() throws Exception {
        server.put("canal.zkServers", "127.0.0.1:" + FreePorts.next());

        assertThat(failures()).singleElement().satisfies(failure -> {
            assertThat(failure.target()).isEqualTo("ZooKeeper");
            assertThat(failure.evidence()).contains("does not answer");
            assertThat(failure.remedy()).contains("canal.zkServers");
        });
    }

    /** As a page of the admin server does it: nothing of these texts is a file of the server. */
    @Test
    void textsThatAreSentToARunningServer() throws Exception {
        JsonNode good = call("connect", server, instance);
        assertThat(good.path("good").asBoolean()).as(good.toString()).isTrue();
        assertThat(good.path("targets").findValuesAsText("target"))
                .containsExactly("source " + mysql.host() + ":" + mysql.port(), "kafka");
        assertThat(good.toString())
                .contains("\"the binlog can be read\"", "it has 1 partition, of which 1 is needed")
                .doesNotContain("not tried", "\"failed\"");
        JsonNode own = call("connect", Map.of(), instance);
        assertThat(own.path("good").asBoolean()).as(own.toString()).isTrue();
        assertThat(own.toString()).contains("\"topic shop\"");

        JsonNode tables = call("tables", server, instance);
        assertThat(tables.path("delivered").asInt()).as(tables.toString()).isEqualTo(1);
        assertThat(tables.path("tables").path(0).path("table").asText()).isEqualTo("orders");
        assertThat(tables.path("tables").path(0).path("topic").asText()).isEqualTo("shop");
        assertThat(tables.path("visible").asInt())
                .isEqualTo(tables.path("tables").size());

        Map<String, String> wrong = new LinkedHashMap<>(instance);
        wrong.put("canal.instance.dbPassword", "hunter2");
        assertThat(failures(call("connect", server, wrong))).singleElement().satisfies(failure -> {
            assertThat(failure.subject()).isEqualTo("login");
            assertThat(failure.evidence()).contains("Access denied").doesNotContain("hunter2");
        });
        assertThat(call("tables", server, wrong).path("failure").toString())
                .contains("Access denied", "canal.instance.dbUsername and canal.instance.dbPassword")
                .doesNotContain("hunter2");
        Map<String, String> unreachable = new LinkedHashMap<>(server);
        unreachable.put("kafka.bootstrap.servers", "127.0.0.1:" + FreePorts.next());
        assertThat(failures(call("connect", unreachable, instance)))
                .singleElement()
                .satisfies(failure -> assertThat(failure.evidence()).contains("cannot be reached"));

        filesAreNotOpened();
        assertThat(Files.readString(running.home().resolve("logs/canal/audit.log")))
                .contains("\"try a configuration\"", "\"list the tables of a configuration\"", "instance=shop source")
                .doesNotContain("hunter2", Pipeline.PASSWORD);
        assertThat(running.wholeLogs()).doesNotContain("hunter2", Pipeline.PASSWORD);
    }

    private void filesAreNotOpened() throws Exception {
        Map<String, String> secure = new LinkedHashMap<>(instance);
        secure.put("canal.instance.master.sslMode", "VERIFY_CA");
        secure.put("canal.instance.master.trustCertificateKeyStoreUrl", "/etc/hostname");
        Map<String, String> stores = new LinkedHashMap<>(server);
        stores.put("kafka.security.protocol", "SSL");
        stores.put("kafka.ssl.truststore.location", "/etc/hostname");

        JsonNode answer = call("connect", stores, secure);

        assertThat(answer.path("targets").findValuesAsText("target")).containsExactly("source", "kafka");
        assertThat(answer.path("targets").findValuesAsText("evidence"))
                .hasSize(2)
                .anyMatch(text ->
                        text.startsWith("not tried: canal.instance.master.trustCertificateKeyStoreUrl names a file"))
                .anyMatch(text -> text.startsWith("not tried: kafka.ssl.truststore.location may name a file"));
        assertThat(answer.toString()).doesNotContain("/etc/hostname");
    }

    private static List<Complaint> failures(JsonNode answer) {
        List<Complaint> complaints = new ArrayList<>();
        answer.path("targets").forEach(target -> add(target, complaints));
        return complaints;
    }

    /** The answer of the server that runs to the texts of a configuration; without those of a server it uses its own. */
    private static JsonNode call(String what, Map<String, String> server, Map<String, String> instance)
            throws Exception {
        ObjectNode body = new ObjectMapper()
                .createObjectNode()
                .put("destination", "shop")
                .put("instance.properties", text(instance));
        if (!server.isEmpty()) {
            body.put("canal.properties", text(server));
        }
        return api.post("/config/" + what, body);
    }

    private static String text(Map<String, String> settings) {
        StringBuilder text = new StringBuilder();
        settings.forEach(
                (key, value) -> text.append(key).append(" = ").append(value).append('\n'));
        return text.toString();
    }

    private List<Complaint> failures() throws Exception {
        return failures(call("connect", server, instance));
    }

    /** What has failed; fails itself if the exit code is another one than that says. */
    private static List<Complaint> failures(PackagedServer packaged) {
        Outcome outcome = packaged.ask("check", "--connect", "--json");
        List<Complaint> complaints = new ArrayList<>();
        try {
            JsonNode connect = new ObjectMapper().readTree(outcome.output()).get("connect");
            connect.get("server").forEach(target -> add(target, complaints));
            connect.get("instances").forEach(one -> one.get("targets").forEach(target -> add(target, complaints)));
        } catch (JsonProcessingException e) {
            throw new AssertionError(outcome.output(), e);
        }
        assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(complaints.isEmpty() ? 0 : 1);
        return complaints;
    }

    private static void add(JsonNode target, List<Complaint> complaints) {
        for (JsonNode finding : target.get("findings")) {
            if (finding.get("verdict").asText().equals("failed")) {
                complaints.add(new Complaint(
                        target.get("target").asText(),
                        finding.get("subject").asText(),
                        finding.get("verdict").asText(),
                        finding.get("evidence").asText(),
                        finding.get("remedy").asText()));
            }
        }
    }
}
