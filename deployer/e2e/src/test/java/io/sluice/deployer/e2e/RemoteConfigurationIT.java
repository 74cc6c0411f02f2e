package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.testkit.canal.PolledAdmin;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server whose configuration an admin server has, by canal's contract. */
@Timeout(900)
class RemoteConfigurationIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** The field that says why the newest configuration is not in force. */
    private static final String PROBLEM = "configurationProblem";

    private final int controlPort = FreePorts.next();
    private PackagedServer server;
    private ControlApi api;

    @Test
    void followsTheAdminServerAndRunsWithoutIt() throws Exception {
        try (MySqlServer mysql = MySqlServer.start();
                PolledAdmin admin = PolledAdmin.start();
                PackagedServer made = new PackagedServer("first", Map.of(), Map.of())) {
            server = made;
            Pipeline.allow(mysql);
            for (String schema : new String[] {"first", "second", "third"}) {
                mysql.execute(
                        "create database " + schema,
                        "create table " + schema + ".orders (id int primary key, note varchar(50))");
            }
            configure(admin, mysql);
            assertThat(ask(2, "check")).contains("does not know the server");
            ask(0, "token", "add", "ops", "--role", "operator", "--save");
            api = ControlApi.of(server, controlPort);
            server.startToRead();
            delivers(mysql, "first", 1);

            assertThat(ask(0, "check")).contains("first", "1 of 3 tables delivered");
            assertThat(ask(0, "check", "--effective"))
                    .contains(
                            "instance.properties of first at http://" + admin.address() + ", line 1",
                            "canal.properties of http://" + admin.address() + ", line 1")
                    .doesNotContain(Pipeline.PASSWORD, PolledAdmin.PASSWORD);

            admin.instance("second", instance(mysql, "second"));
            api.awaitInstance(
                    "second", PATIENCE, state -> state.path("state").asText().equals("running"));
            delivers(mysql, "second", 2);

            admin.instance("first", instance(mysql, "first", "third"));
            await().atMost(PATIENCE).until(() -> server.logLinesWith("reading the binlog: instance=") > 1);
            delivers(mysql, "third", 3);

            breaks(admin, mysql);
            losesTheAdminServer(admin, mysql);

            admin.remove("second");
            api.awaitInstance("second", PATIENCE, JsonNode::isMissingNode);
            delivers(mysql, "first", 8);
            assertThat(server.wholeLogs()).doesNotContain(PolledAdmin.PASSWORD, Pipeline.PASSWORD);
        }
    }

    private void configure(PolledAdmin admin, MySqlServer mysql) throws Exception {
        admin.server("""
                canal.serverMode = stdout
                canal.auto.scan = true
                canal.auto.scan.interval = 1
                canal.metrics.pull.port = %d
                canal.control.port = %d
                """.formatted(server.metricsPort(), controlPort));
        admin.instance("first", instance(mysql, "first"));
        admin.forget();
        Folders.delete(server.home().resolve("conf/first"));
        Files.writeString(server.home().resolve("conf/canal.properties"), """
                canal.admin.manager = %s
                canal.admin.user = %s
                canal.admin.passwd = %s
                canal.admin.register.auto = true
                canal.register.ip = 127.0.0.1
                """.formatted(
                        admin.address(), PolledAdmin.USER, PolledAdmin.PASSWORD));
    }

    private void breaks(PolledAdmin admin, MySqlServer mysql) {
        admin.instance("first", instance(mysql, "first", "third") + "canal.instance.memory.buffer.size = many\n");
        api.awaitInstance("first", PATIENCE, state -> state.hasNonNull(PROBLEM));
        assertThat(server.ask("status").output()).contains("its newest configuration is not in force");
        delivers(mysql, "first", 4);
        assertThat(server.ask("check").output())
                .contains("instance.properties of first at http://", "canal.instance.memory.buffer.size");
        admin.instance("first", instance(mysql, "first", "third"));
        api.awaitInstance("first", PATIENCE, state -> !state.hasNonNull(PROBLEM));

        admin.instance("wrong", instance(mysql, "third") + "canal.instance.memory.buffer.size = many\n");
        api.awaitInstance(
                "wrong", PATIENCE, state -> state.path("state").asText().equals("invalid"));
        assertThat(server.ask("status").output()).matches("(?s).*wrong +invalid.*wrong: .*buffer.size.*");
        assertThat(server.ask("start", "wrong").output()).contains("its configuration was never right");
        assertThat(server.ask("status", "wrong").exitCode()).isEqualTo(1);
        admin.remove("wrong");
        api.awaitInstance("wrong", PATIENCE, JsonNode::isMissingNode);
        assertThat(ask(0, "status")).doesNotContain("wrong");
    }

    private void losesTheAdminServer(PolledAdmin admin, MySqlServer mysql) throws Exception {
        Path copy = server.home().resolve("conf/canal-admin-copy.json");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
                .isEqualTo("rw-------");
        admin.goDown();
        api.awaitServer(
                PATIENCE, state -> state.path(PROBLEM).asText().contains("the admin server http://" + admin.address()));
        assertThat(server.ask("status").output())
                .as("one problem of the server, not of each instance")
                .containsOnlyOnce("the admin server http://" + admin.address());
        delivers(mysql, "second", 5);
        server.stop();
        mysql.execute("insert into third.orders values (6, 'n6')");

        server.startToRead();

        await().atMost(PATIENCE).until(() -> printed(6));
        delivers(mysql, "second", 7);
        assertThat(server.wholeLogs()).contains("canal-admin-copy.json");
        admin.comeBack();
        api.awaitServer(PATIENCE, state -> !state.hasNonNull(PROBLEM));
        assertThat(server.ask("status").output()).doesNotContain("not in force");
    }

    private void delivers(MySqlServer mysql, String schema, int id) {
        mysql.execute("insert into %s.orders values (%d, 'n%d')".formatted(schema, id, id));
        await().atMost(PATIENCE).until(() -> printed(id));
    }

    private boolean printed(int id) throws Exception {
        return Files.readString(server.standardOutput()).contains("\"note\":\"n" + id + "\"");
    }

    private String ask(int exitCode, String... arguments) {
        PackagedServer.Outcome outcome = server.ask(arguments);
        assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(exitCode);
        return outcome.output();
    }

    private static String instance(MySqlServer mysql, String... schemas) {
        return """
                canal.instance.master.address = %s:%d
                canal.instance.dbUsername = %s
                canal.instance.dbPassword = %s
                canal.instance.filter.regex = %s\\\\..*
                canal.mq.topic = any
                """.formatted(
                        mysql.host(), mysql.port(), Pipeline.USER, Pipeline.PASSWORD, String.join("\\\\..*,", schemas));
    }
}
