package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.FlatRecords;
import io.sluice.testkit.check.ServerState;
import io.sluice.testkit.check.StateComparison;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.workload.RandomWorkload;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the server prints with {@code canal.serverMode=stdout} is what the tables hold, and nothing else. */
@Timeout(900)
class StdoutIT {
    private static final long SEED = 131;

    @Test
    void printsEveryChangeOnceAndNothingElse() throws Exception {
        try (MySqlServer mysql = MySqlServer.start()) {
            Pipeline.allow(mysql);
            try (PackagedServer server = server(mysql, Map.of());
                    Connection connection = mysql.connect()) {
                server.startToRead();
                RandomWorkload workload = new RandomWorkload(
                        RandomWorkload.Options.of(SEED, 2_000).schema("printed"));
                RandomWorkload.Counts changes = workload.run(connection);
                workload.markTheEnd(connection);
                await().atMost(Duration.ofMinutes(2))
                        .until(() -> server.printedLines().stream()
                                .anyMatch(line -> line.contains("\"type\":\"INSERT\"") && line.contains("sluice_end")));

                StateModel model = new StateModel(Duplicates.FORBIDDEN);
                FlatRecords flat = new FlatRecords();
                List<String> lines = server.printedLines();
                for (int i = 0; i < lines.size(); i++) {
                    model.apply(flat.read("any", 0, i, lines.get(i).getBytes(StandardCharsets.UTF_8)));
                }
                StateComparison.requireEqual(ServerState.of(connection, "printed"), model);
                assertThat(model.distinctChanges()).isGreaterThan(changes.total());
            }
        }
    }

    @Test
    void printsATransactionThatIsLargerThanTheRing() throws Exception {
        int rows = 500;
        try (MySqlServer mysql = MySqlServer.start()) {
            Pipeline.allow(mysql);
            mysql.execute("create database printed", "create table printed.orders (id int primary key, note text)");
            Map<String, String> small = Map.of(
                    "canal.instance.memory.buffer.size", "16",
                    "canal.instance.memory.buffer.memunit", "64",
                    "canal.instance.transaction.size", "1024");
            try (PackagedServer server = server(mysql, small);
                    Connection connection = mysql.connect();
                    Statement statement = connection.createStatement()) {
                server.startToRead();
                connection.setAutoCommit(false);
                for (int i = 0; i < rows; i++) {
                    statement.execute("insert into printed.orders values (%d, repeat('x', 100))".formatted(i));
                }
                connection.commit();
                await().atMost(Duration.ofMinutes(2))
                        .until(() -> inserts(server).size() >= rows);

                List<String> inserts = inserts(server);
                assertThat(inserts).hasSize(rows);
                for (int i = 0; i < rows; i++) {
                    assertThat(inserts.get(i)).contains("\"id\":\"" + i + "\"");
                }
            }
        }
    }

    /** As on a full disk, from the stop on. */
    @Test
    void aStopThatCannotWriteTheCursorFailsAndNothingIsLost() throws Exception {
        try (MySqlServer mysql = MySqlServer.start()) {
            Pipeline.allow(mysql);
            mysql.execute("create database printed", "create table printed.orders (id int primary key, note text)");
            try (PackagedServer server = server(mysql, Map.of())) {
                server.configureServer("canal.file.flush.period", "3600000");
                server.startToRead();
                mysql.execute("insert into printed.orders values (1, 'first')");
                await().atMost(Duration.ofMinutes(2))
                        .until(() -> inserts(server).size() == 1);
                Path inTheWay = server.instanceFolder().resolve("meta.dat.tmp/in its place");
                Files.createDirectories(inTheWay);

                PackagedServer.Outcome stopped = server.tryToStop();

                assertThat(stopped.exitCode()).as(stopped.output()).isEqualTo(3);
                assertThat(stopped.output())
                        .contains("has stopped, but not in good order")
                        .contains("printed did not end in good order: cursor file", "meta.dat cannot be written");
                Files.delete(inTheWay);
                Files.delete(inTheWay.getParent());
                server.startToRead();
                await().atMost(Duration.ofMinutes(2))
                        .until(() -> inserts(server).size() == 2);
                server.stop();
            }
        }
    }

    private static PackagedServer server(MySqlServer mysql, Map<String, String> more) throws Exception {
        Map<String, String> source = new HashMap<>(more);
        source.put("canal.instance.master.address", mysql.host() + ":" + mysql.port());
        source.put("canal.instance.dbUsername", Pipeline.USER);
        source.put("canal.instance.dbPassword", Pipeline.PASSWORD);
        source.put("canal.instance.filter.regex", "printed\\\\..*");
        source.put("canal.mq.topic", "any");
        return new PackagedServer("printed", Map.of("canal.serverMode", "stdout"), source);
    }

    private static List<String> inserts(PackagedServer server) throws Exception {
        return server.printedLines().stream()
                .filter(line -> line.contains("\"type\":\"INSERT\""))
                .toList();
    }
}
