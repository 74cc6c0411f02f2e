package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A filter accepts tables that it did not in the last run. */
@Timeout(900)
class FilterGrowthIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String ALL = "printed\\\\..*";

    /** The source shows the columns after the DDL, so rows before it would get wrong names. */
    @Tag("thorough")
    @Test
    void aTableThatWasAlteredBehindTheCursorIsRejectedUntilThatIsPassed() throws Exception {
        try (MySqlServer mysql = MySqlServer.start()) {
            Pipeline.allow(mysql);
            mysql.execute(
                    "create database printed",
                    "create table printed.orders (id int primary key, note text)",
                    "create table printed.other (id int primary key, a text, b text)",
                    "create table printed.third (id int primary key, c text)",
                    "insert into printed.third values (1, 'before the cursor')");
            try (PackagedServer server = server(mysql)) {
                assertThat(server.ask("token", "add", "ops", "--role", "administrator", "--save")
                                .exitCode())
                        .isZero();
                server.startToRead();
                mysql.execute("insert into printed.orders values (1, 'x')");
                await().atMost(PATIENCE).until(() -> lines(server, "\"table\":\"orders\"") > 0);
                server.stop();
                mysql.execute(
                        "insert into printed.other values (1, 'a', 'b')",
                        "alter table printed.other rename column a to old, rename column b to a",
                        "alter table printed.third add index (c(10))",
                        "insert into printed.third values (2, 'behind the cursor')",
                        "create table printed.fourth (id int primary key, d text)",
                        "alter table printed.fourth rename column d to e",
                        "insert into printed.fourth values (1, 'behind the cursor')");
                server.configure("canal.instance.filter.regex", ALL);

                server.tryToStart();
                await().atMost(PATIENCE).until(() -> !server.isRunning());

                assertThat(server.wholeLogs())
                        .contains(
                                "the filter accepts 1 tables that it did not in the last run",
                                "printed.other (by the DDL at ",
                                "canal.instance.schema.reload");
                assertThat(lines(server, "\"table\":\"other\"")).isZero();

                server.configure("canal.instance.filter.regex", "printed\\\\.(orders|third|fourth)");
                server.startToRead();
                await().atMost(PATIENCE).until(() -> lines(server, "\"e\":\"behind the cursor\"") > 0);
                assertThat(lines(server, "\"c\":\"behind the cursor\"")).isOne();
                assertThat(lines(server, "before the cursor")).isZero();
                assertThat(server.ask("status").output()).contains("2 new (printed.fourth, printed.third), 0 dropped");

                server.configure("canal.instance.filter.regex", ALL);
                assertThat(server.ask("reload").output())
                        .contains("changed: printed", "its filter accepts other tables: printed");
                await().atMost(PATIENCE)
                        .until(() -> server.ask("status").output().contains("1 new (printed.other), 0 dropped"));
                mysql.execute("insert into printed.other values (2, 'of old', 'of a')");
                await().atMost(PATIENCE).until(() -> lines(server, "\"old\":\"of old\",\"a\":\"of a\"") > 0);
                assertThat(lines(server, "\"table\":\"other\"")).isOne();
                server.stop();
            }
        }
    }

    private static long lines(PackagedServer server, String text) throws Exception {
        return server.printedLines().stream()
                .filter(line -> line.contains(text))
                .count();
    }

    private static PackagedServer server(MySqlServer mysql) {
        Map<String, String> source = new HashMap<>();
        source.put("canal.instance.master.address", mysql.host() + ":" + mysql.port());
        source.put("canal.instance.dbUsername", Pipeline.USER);
        source.put("canal.instance.dbPassword", Pipeline.PASSWORD);
        source.put("canal.instance.filter.regex", "printed\\\\.orders");
        source.put("canal.mq.topic", "any");
        return new PackagedServer(
                "printed",
                Map.of("canal.serverMode", "stdout", "canal.control.port", Integer.toString(FreePorts.next())),
                source);
    }
}
