package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.deployer.monitoring.AlertRules;
import io.sluice.deployer.monitoring.Dashboard;
import io.sluice.testkit.canal.CanalClient;
import io.sluice.testkit.canal.ClientRefusedException;
import io.sluice.testkit.canal.PulledEntries;
import io.sluice.testkit.kafka.KafkaBroker;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.prometheus.PrometheusServer;
import io.sluice.testkit.prometheus.ScrapeTarget;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real Prometheus scrapes two running servers, one with a queue and one with a client, and answers an operator's queries. */
@Timeout(900)
class MonitoringIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void everyPanelShowsSomethingAndNoAlertFiresWhileAllIsWell() throws Exception {
        try (MySqlServer mysql = MySqlServer.start();
                KafkaBroker kafka = KafkaBroker.start()) {
            Pipeline.allow(mysql);
            int clientPort = FreePorts.next();
            Map<String, String> pulled = Map.of(
                    "canal.serverMode", "tcp",
                    "canal.ip", "127.0.0.1",
                    "canal.port", Integer.toString(clientPort));
            Map<String, String> source = Map.of(
                    "canal.instance.master.address", mysql.host() + ":" + mysql.port(),
                    "canal.instance.dbUsername", Pipeline.USER,
                    "canal.instance.dbPassword", Pipeline.PASSWORD);
            try (Pipeline pipeline = new Pipeline(mysql, kafka, Pipeline.Mode.FLAT, "queued", Map.of());
                    PackagedServer pulledFrom = new PackagedServer("pulled", pulled, source);
                    PrometheusServer prometheus = start(pipeline.server(), pulledFrom)) {
                refuse(clientPort);
                pipeline.change(1, "shop", 2_000).join();
                try (CanalClient client = CanalClient.java(CanalClient.Target.of(clientPort, "pulled"))) {
                    client.connect();
                    client.subscribe("");
                    await().atMost(PATIENCE).untilAsserted(() -> {
                        pull(client);
                        assertThat(withoutAnswer(prometheus))
                                .as("%s", prometheus.targets())
                                .isEmpty();
                        assertThat(ackedRows(prometheus, "queued")).isGreaterThan(1_000);
                        assertThat(ackedRows(prometheus, "pulled")).isGreaterThan(1_000);
                    });
                    client.disconnect();
                }
                // A scrape that takes too long on a slow machine is one of these alerts until the next one.
                await().atMost(PATIENCE).untilAsserted(() -> {
                    assertThat(prometheus.value("sum(sluice_instance_healthy)")).hasValue(2);
                    assertThat(firing(prometheus)).isEmpty();
                });
            }
        }
    }

    private static PrometheusServer start(PackagedServer queued, PackagedServer pulledFrom) {
        queued.startToRead();
        pulledFrom.startToRead(); // without a cursor it begins where the binlog ends then
        return PrometheusServer.start(
                ScrapeTarget.of("sluice", queued.metricsPort()),
                ScrapeTarget.of("sluice-clients", pulledFrom.metricsPort()));
    }

    /** A request that fails, since one panel shows these. */
    private static void refuse(int port) {
        try (CanalClient client = CanalClient.java(CanalClient.Target.of(port, "nobody"))) {
            assertThatThrownBy(() -> {
                        client.connect();
                        client.subscribe("");
                    })
                    .isInstanceOf(ClientRefusedException.class);
        }
    }

    private static void pull(CanalClient client) {
        PulledEntries pulled = client.get(1_000, 100);
        if (pulled.batchId() > 0) {
            client.ack(pulled.batchId());
        }
    }

    private static double ackedRows(PrometheusServer prometheus, String destination) {
        return prometheus
                .value("canal_instance_ack_rows{destination=\"%s\"}".formatted(destination))
                .orElse(0);
    }

    /** What panels ask for, and get nothing, or no number as long as nothing happens. */
    private static List<String> withoutAnswer(PrometheusServer prometheus) throws IOException {
        List<String> without = new ArrayList<>();
        for (Dashboard.Panel panel : Dashboard.read().panels()) {
            for (String expression : panel.expressions()) {
                if (prometheus.query(Dashboard.filledIn(expression)).stream()
                        .allMatch(sample -> Double.isNaN(sample.value()))) {
                    without.add(panel + ": " + expression);
                }
            }
        }
        return without;
    }

    private static List<String> firing(PrometheusServer prometheus) throws IOException {
        List<String> firing = new ArrayList<>();
        for (JsonNode rule : AlertRules.read()) {
            prometheus
                    .query(rule.path("expr").asText())
                    .forEach(sample -> firing.add(rule.path("alert").asText() + ": " + sample));
        }
        return firing;
    }
}
