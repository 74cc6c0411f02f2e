package io.sluice.deployer.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.prometheus.Promtool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Prometheus's own judge on the alerts and the dashboard; and whether both are in the package. */
@Timeout(600)
class MonitoringFilesIT {
    @TempDir
    private Path folder;

    @Test
    void prometheusAcceptsTheAlerts() {
        assertThat(Promtool.find().checkRules(AlertRules.FILE)).isEmpty();
    }

    @Test
    void alertsFireWhenTheyShould() {
        assertThat(Promtool.find().testRules(AlertRules.TESTS)).isEmpty();
    }

    /** As rules that record what the panels show: that is the way in which promtool judges an expression. */
    @Test
    void prometheusAcceptsTheQueriesOfTheDashboard() throws IOException {
        ObjectMapper json = new ObjectMapper();
        ObjectNode file = json.createObjectNode();
        ArrayNode rules =
                file.putArray("groups").addObject().put("name", "dashboard").putArray("rules");
        for (Dashboard.Panel panel : Dashboard.read().panels()) {
            for (int i = 0; i < panel.expressions().size(); i++) {
                rules.addObject()
                        .put("record", "panel:%d:%d".formatted(panel.id(), i))
                        .put("expr", Dashboard.filledIn(panel.expressions().get(i)));
            }
        }
        Path recording = folder.resolve("panels.yml");
        json.writeValue(recording.toFile(), file); // all JSON is YAML

        assertThat(rules).hasSizeGreaterThan(50);
        assertThat(Promtool.find().checkRules(recording)).isEmpty();
    }

    @Test
    void bothAreInThePackageAndTheirTestsAreNot() {
        String names =
                Commands.require(folder, Map.of(), List.of("tar", "tzf", System.getProperty("sluice.package", "")));

        assertThat(names.lines().map(name -> name.replaceFirst("^\\./", "")))
                .contains("conf/metrics/sluice-dashboard.json", "conf/metrics/sluice-alerts.yml")
                .noneMatch(name -> name.contains("sluice-alerts-test"));
    }
}
