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
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the server prints with {@code canal.serverMode=stdout} is what the tables hold, and nothing else. */
@Timeout(120)
class StdoutIT {
    private static final long SEED = 131;

    @Test
    void printsEveryChangeOnceAndNothingElse() throws Exception {
        try (MySqlServer mysql = MySqlServer.start()) {
            Pipeline.allow(mysql);
            Map<String, String> source = Map.of(
                    "canal.instance.master.address",
                    mysql.host() + ":" + mysql.port(),
                    "canal.instance.dbUsername",
                    Pipeline.USER,
                    "canal.instance.dbPassword",
                    Pipeline.PASSWORD,
                    "canal.instance.filter.regex",
                    "printed\\\\..*",
                    "canal.mq.topic",
                    "any");
            try (PackagedServer server = new PackagedServer("printed", Map.of("canal.serverMode", "stdout"), source);
                    Connection connection = mysql.connect()) {
                server.startToRead();
                RandomWorkload workload = new RandomWorkload(
                        RandomWorkload.Options.of(SEED, 2_000).schema("printed"));
                RandomWorkload.Counts changes = workload.run(connection);
                workload.markTheEnd(connection);
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> lines(server).stream()
                                .anyMatch(line -> line.contains("\"type\":\"INSERT\"") && line.contains("sluice_end")));

                StateModel model = new StateModel(Duplicates.FORBIDDEN);
                FlatRecords flat = new FlatRecords();
                List<String> lines = lines(server);
                for (int i = 0; i < lines.size(); i++) {
                    model.apply(flat.read("any", 0, i, lines.get(i).getBytes(StandardCharsets.UTF_8)));
                }
                StateComparison.requireEqual(ServerState.of(connection, "printed"), model);
                assertThat(model.distinctChanges()).isGreaterThan(changes.total());
            }
        }
    }

    private static List<String> lines(PackagedServer server) throws Exception {
        return Files.readAllLines(server.standardOutput());
    }
}
