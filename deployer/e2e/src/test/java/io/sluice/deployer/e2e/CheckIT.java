package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.deployer.e2e.PackagedServer.Outcome;
import io.sluice.testkit.mysql.MySqlServer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Asks the package what a configuration lets through, with a real source and no running server. */
@Timeout(900)
class CheckIT {
    private static final Map<String, String> SERVER =
            Map.of("canal.serverMode", "kafka", "kafka.bootstrap.servers", "127.0.0.1:9092");

    private static MySqlServer mysql;

    @BeforeAll
    static void startSource() {
        mysql = MySqlServer.start();
        Pipeline.allow(mysql);
        mysql.execute(
                "create database shop",
                "create table shop.orders (id int primary key, price int, note text)",
                "create table shop.people (id int primary key, name text, secret text, pin int)",
                "create table shop.tmp_1 (id int)",
                "create table shop.`订单` (id int)",
                "create view shop.v as select id from shop.orders");
    }

    @AfterAll
    static void stopSource() {
        mysql.close();
    }

    @Test
    void showsTablesAndColumnsAndWhatStopsThem() {
        Map<String, String> settings = instance();
        settings.put("canal.instance.filter.regex", "shop\\\\..*,till\\\\.sales");
        settings.put("canal.instance.filter.black.regex", "shop\\\\.tmp_.*");
        settings.put("canal.instance.filter.black.field", "shop.people:secret/pin");
        settings.put("canal.instance.filter.dml.delete", "true");
        try (PackagedServer server = new PackagedServer("shop", SERVER, settings)) {
            Outcome outcome = server.ask("check");

            assertThat(outcome.exitCode()).as(outcome.output()).isZero();
            assertThat(outcome.output().lines().skip(1).findFirst().orElseThrow())
                    .contains("canal.instance.filter.black.field: does not hold for the texts of DML");
            assertThat(outcome.output().lines().skip(2).map(line -> line.replaceAll("(?<=\\S) +", " ")))
                    .containsExactly("""

                            shop: MySQL VERSION at ADDRESS, 3 of 4 tables delivered
                              delivered
                                shop.orders all 3 columns canal.instance.filter.regex: shop\\..*
                                shop.people 2 of 4 columns, without secret, pin (canal.instance.filter.black.field) \
                            canal.instance.filter.regex: shop\\..*
                                shop.订单 all 1 column canal.instance.filter.regex: shop\\..*
                              left out
                                shop.tmp_1 canal.instance.filter.black.regex: shop\\.tmp_.*
                              also left out: no deleted rows (canal.instance.filter.dml.delete)
                              note: canal.instance.filter.regex names till.sales, but the source has no such table
                            """.replace("VERSION", String.valueOf(mysql.query("select version()")))
                            .replace("ADDRESS", mysql.host() + ":" + mysql.port())
                            .split("\n"));
            assertThat(server.wholeLogs()).doesNotContain("running now");
        }
    }

    @Test
    void writesJson() throws Exception {
        Map<String, String> settings = instance();
        settings.put("canal.instance.filter.field", "shop.people:id/name");
        try (PackagedServer server = new PackagedServer("shop", SERVER, settings)) {
            Outcome outcome = server.ask("check", "--json", "shop");

            assertThat(outcome.exitCode()).as(outcome.output()).isZero();
            JsonNode shop = new ObjectMapper()
                    .readTree(outcome.output())
                    .get("instances")
                    .get(0);
            assertThat(shop.get("destination").asText()).isEqualTo("shop");
            assertThat(shop.get("tables")).hasSize(4);
            JsonNode people = shop.get("tables").get(1);
            assertThat(people.get("table").asText()).isEqualTo("people");
            assertThat(people.get("delivered").asBoolean()).isTrue();
            assertThat(people.get("columns")).hasToString("[\"id\",\"name\"]");
            assertThat(people.get("leftOut")).hasToString("[\"secret\",\"pin\"]");
        }
    }

    @Test
    void saysWhatFollowsFromTheRowImagesOfTheSource() {
        Map<String, String> settings = instance();
        settings.put("canal.mq.partitionHash", ".*\\\\..*:$pk$");
        settings.put("canal.mq.partitionsNum", "3");
        mysql.execute("set global binlog_row_image = MINIMAL");
        try (PackagedServer server = new PackagedServer("shop", SERVER, settings)) {
            assertThat(server.ask("check").output())
                    .contains(
                            "note: the source has binlog_row_image=MINIMAL: a flat message of an update has the changed"
                                    + " columns only, and does not identify its row; an update goes to the partition of an empty key,"
                                    + " so it is not in order with the insert and the delete of its row; set binlog_row_image=FULL on"
                                    + " the source, or canal.instance.value.image.complete=true");
        } finally {
            mysql.execute("set global binlog_row_image = FULL");
        }
    }

    @Test
    void namesTablesWhoseRowsForeignKeysChangeWithoutATraceInTheBinlog() {
        Map<String, String> settings = instance();
        settings.put("canal.instance.filter.regex", "fk\\\\..*");
        mysql.execute(
                "create database fk",
                "create table fk.parent (id int primary key)",
                "create table fk.child (id int primary key, p int,"
                        + " foreign key (p) references fk.parent (id) on delete cascade)");
        try (PackagedServer server = new PackagedServer("shop", SERVER, settings)) {
            assertThat(server.ask("check").output())
                    .contains(
                            "note: foreign keys with CASCADE or SET NULL change rows of fk.child, and the source does not"
                                    + " log these changes, so they are not delivered");
        } finally {
            mysql.execute("drop database fk");
        }
    }

    @Test
    void listsWhatIsWrongAndShowsNoSecret() {
        Map<String, String> settings = instance();
        settings.put("canal.instance.filter.regex", "shop\\\\.(orders");
        settings.put("canal.instance.dbPasword", "hunter2");
        try (PackagedServer server = new PackagedServer("shop", SERVER, settings)) {
            Outcome outcome = server.ask("check");

            assertThat(outcome.exitCode()).isEqualTo(2);
            assertThat(outcome.output())
                    .contains("the configuration has 2 problems:")
                    .contains("did you mean canal.instance.dbPassword?")
                    .contains("this '(' is never closed, at column 7:\n      shop\\.(orders\n            ^")
                    .doesNotContain("hunter2");
        }
    }

    @Test
    void aBrokerWithoutAPortIsListedAndKeepsTheServerFromStarting() {
        Map<String, String> brokers = Map.of("canal.serverMode", "kafka", "kafka.bootstrap.servers", "broker");
        try (PackagedServer server = new PackagedServer("shop", brokers, instance())) {
            for (Outcome outcome : List.of(server.ask("check"), server.tryToStart())) {
                assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(2);
                assertThat(outcome.output())
                        .containsPattern(
                                "canal\\.properties:\\d+: kafka\\.bootstrap\\.servers = broker: each broker is host:port");
            }
        }
    }

    @Test
    void showsThatThePortIsOpen() {
        Map<String, String> tcp = new LinkedHashMap<>(Map.of("canal.serverMode", "tcp"));
        try (PackagedServer server = new PackagedServer("shop", tcp, instance())) {
            Outcome outcome = server.ask("check");

            assertThat(outcome.exitCode()).isEqualTo(2);
            assertThat(outcome.output())
                    .contains("the configuration has 1 problem:")
                    .contains("clients need no password on port 11111 of all addresses")
                    .contains("set canal.user and canal.passwd, or canal.ip = 127.0.0.1; if");
            assertThat(server.tryToStart().exitCode()).isEqualTo(2);
        }
        tcp.put("canal.tcp.allow.anonymous", "true");
        try (PackagedServer server = new PackagedServer("shop", tcp, instance())) {
            Outcome outcome = server.ask("check");

            assertThat(outcome.exitCode()).as(outcome.output()).isZero();
            assertThat(outcome.output())
                    .contains(
                            "  warning: canal.tcp.allow.anonymous = true: clients need no password on port 11111 of all");
        }
    }

    @Test
    void saysWhichSourceCannotBeAsked() {
        Map<String, String> settings = instance();
        settings.put("canal.instance.dbPassword", "hunter2");
        try (PackagedServer server = new PackagedServer("shop", SERVER, settings)) {
            Outcome outcome = server.ask("check");

            assertThat(outcome.exitCode()).isEqualTo(1);
            assertThat(outcome.output())
                    .contains("shop: the source cannot be asked: ")
                    .contains("Access denied")
                    .doesNotContain("hunter2");
            assertThat(server.ask("check", "till").output())
                    .contains("there is no destination till; the configuration has shop")
                    .contains("usage: sluice.sh check");
        }
    }

    @Test
    void namesItsVerbs() {
        try (PackagedServer server = new PackagedServer("shop", SERVER, instance())) {
            assertThat(server.ask("help").exitCode()).isZero();
            assertThat(server.ask("help").output()).contains("  check ");
            assertThat(server.ask("chek").exitCode()).isEqualTo(1);
            assertThat(server.ask("chek").output()).contains("there is no verb chek", "  check ");
        }
    }

    private static Map<String, String> instance() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("canal.instance.master.address", mysql.host() + ":" + mysql.port());
        settings.put("canal.instance.dbUsername", Pipeline.USER);
        settings.put("canal.instance.dbPassword", Pipeline.PASSWORD);
        settings.put("canal.mq.topic", "shop");
        return settings;
    }
}
