package io.sluice.deployer.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.sluice.connector.api.deliver.SenderState;
import io.sluice.deployer.monitoring.Dashboard.Panel;
import io.sluice.server.health.Stage;
import io.sluice.server.instance.InstanceState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks of the dashboard and the alerts that need no Prometheus. */
class MonitoringFilesTest {
    /** Always 1: what they tell is in their labels, and does not change while an instance runs. */
    private static final Set<String> NOT_SHOWN =
            Set.of("canal_instance", "canal_instance_parser_mode", "canal_instance_store", "sluice_build_info");

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([a-zA-Z_]\\w*)");
    /** A value that a label is compared with. */
    private static final Pattern STATE = Pattern.compile("(state|stage)=\"(\\w+)\"");

    private Dashboard dashboard;
    private List<JsonNode> rules;

    @BeforeEach
    void read() throws IOException {
        dashboard = Dashboard.read();
        rules = AlertRules.read();
    }

    @Test
    void theDashboardUsesExistingMetrics() throws IOException {
        assertThat(namesIn(dashboard.expressions())).isNotEmpty().isSubsetOf(served());
    }

    @Test
    void theAlertsUseExistingMetrics() throws IOException {
        Set<String> served = served();
        served.add("up"); // Prometheus's own

        assertThat(namesIn(
                        rules.stream().map(rule -> rule.path("expr").asText()).toList()))
                .isNotEmpty()
                .isSubsetOf(served);
    }

    @Test
    void theDashboardShowsEveryMetric() throws IOException {
        Set<String> shown = namesIn(dashboard.expressions());
        Set<String> missing = DocumentedMetrics.names();
        missing.removeIf(name -> shown.contains(name) || shown.contains(name + "_bucket"));

        assertThat(missing).isEqualTo(NOT_SHOWN);
    }

    /** States are shown as numbers, so one that is not in the list would be shown as none. */
    @Test
    void theDashboardKnowsEveryStateAndEveryStage() {
        assertThat(comparedWith("sluice_instance_state")).containsExactlyElementsOf(spellings(InstanceState.values()));
        assertThat(comparedWith("sluice_sender_state")).containsExactlyElementsOf(spellings(SenderState.values()));
        assertThat(comparedWith("sluice_instance_stalled_seconds"))
                .containsExactlyElementsOf(
                        Arrays.stream(Stage.values()).map(Stage::spelling).toList());
    }

    @Test
    void panelsHaveIdsOfTheirOwn() {
        assertThat(dashboard.panels())
                .extracting(Panel::id)
                .isNotEmpty()
                .doesNotHaveDuplicates()
                .allMatch(id -> id > 0);
    }

    @Test
    void panelsAreInTheGridAndDoNotOverlap() {
        List<Panel> panels = dashboard.panels();
        assertThat(panels).allSatisfy(panel -> {
            assertThat(panel.place().x()).isNotNegative();
            assertThat(panel.place().y()).isNotNegative();
            assertThat(panel.place().width()).isPositive();
            assertThat(panel.place().height()).isPositive();
            assertThat(panel.place().x() + panel.place().width()).isLessThanOrEqualTo(Dashboard.COLUMNS);
        });
        for (int i = 0; i < panels.size(); i++) {
            for (Panel other : panels.subList(i + 1, panels.size())) {
                assertThat(panels.get(i).place().overlaps(other.place()))
                        .as("%s and %s overlap", panels.get(i), other)
                        .isFalse();
            }
        }
    }

    @Test
    void everyPanelSaysWhatItIsAndInWhichUnit() {
        assertThat(dashboard.panels())
                .allSatisfy(panel -> assertThat(panel.title()).isNotBlank());
        assertThat(dashboard.panels()).filteredOn(panel -> !panel.isHeading()).allSatisfy(panel -> {
            assertThat(panel.json().path("description").asText()).isNotBlank();
            assertThat(panel.json()
                            .path("fieldConfig")
                            .path("defaults")
                            .path("unit")
                            .asText())
                    .isNotBlank();
            assertThat(panel.expressions()).isNotEmpty().doesNotContain("");
            assertThat(panel.json().path("targets").findValuesAsText("refId")).doesNotHaveDuplicates();
        });
    }

    @Test
    void everySeriesHasALegend() {
        assertThat(dashboard.panels())
                .filteredOn(panel -> "timeseries".equals(panel.type()) || "state-timeline".equals(panel.type()))
                .isNotEmpty()
                .allSatisfy(panel -> assertThat(panel.json().path("targets").findValuesAsText("legendFormat"))
                        .hasSameSizeAs(panel.expressions())
                        .doesNotContain("")
                        .doesNotHaveDuplicates());
    }

    /** Else it would be empty in every Grafana but the one where it was made. */
    @Test
    void theDashboardIsBoundToNoGrafana() {
        assertThat(dashboard.json().path("id").isNull()).isTrue();
        assertThat(dashboard.json().path("schemaVersion").asInt()).isGreaterThanOrEqualTo(37);
        List<JsonNode> sources = dashboard.json().findValues("datasource");
        assertThat(sources).hasSizeGreaterThan(dashboard.expressions().size()).allSatisfy(source -> {
            assertThat(source.path("type").asText()).isEqualTo("prometheus");
            assertThat(source.path("uid").asText()).isEqualTo("${datasource}");
        });
    }

    @Test
    void everyVariableThatIsUsedIsThere() {
        List<String> there = dashboard.json().path("templating").path("list").findValuesAsText("name");
        assertThat(there).containsExactly("datasource", "instance", "destination");
        Set<String> used = new TreeSet<>();
        Matcher variable = VARIABLE.matcher(dashboard.json().toString());
        while (variable.find()) {
            used.add(variable.group(1));
        }

        assertThat(used).contains("instance", "destination").isSubsetOf(with(there, "__rate_interval", "__all"));
    }

    @Test
    void everyAlertHasSeverityMeaningAndRemedy() {
        assertThat(rules).isNotEmpty().allSatisfy(rule -> {
            assertThat(rule.path("alert").asText()).startsWith("Sluice");
            assertThat(rule.path("for").asText()).matches("[0-9]+m");
            assertThat(rule.path("labels").path("severity").asText()).isIn("critical", "warning");
            assertThat(rule.path("annotations").path("summary").asText()).endsWith(".");
            assertThat(rule.path("annotations").path("description").asText()).endsWith(".");
        });
    }

    @Test
    void everyAlertIsTestedFiringAndSilent() {
        assertThat(rules).allSatisfy(rule -> {
            List<JsonNode> expected = AlertRules.expectations(rule.path("alert").asText());
            assertThat(expected).anyMatch(JsonNode::isEmpty);
            assertThat(expected).anyMatch(alerts -> !alerts.isEmpty());
        });
    }

    @Test
    void everyAlertIsDocumented() throws IOException {
        assertThat(DocumentedMetrics.alerts())
                .containsExactlyInAnyOrderElementsOf(
                        rules.stream().map(rule -> rule.path("alert").asText()).toList());
    }

    private static Set<String> namesIn(List<String> expressions) {
        Set<String> names = new TreeSet<>();
        expressions.forEach(expression -> names.addAll(MetricNames.of(expression)));
        return names;
    }

    /** What the documentation lists, and what a JVM has. */
    private static Set<String> served() throws IOException {
        Set<String> names = DocumentedMetrics.names();
        assertThat(names).hasSizeGreaterThan(50);
        for (String part : List.of("_bucket", "_sum", "_count")) {
            names.add("canal_instance_client_request_latency" + part);
        }
        for (String part : List.of("used", "committed", "max", "init")) {
            names.addAll(List.of("jvm_memory_bytes_" + part, "jvm_memory_pool_bytes_" + part));
        }
        PrometheusRegistry registry = new PrometheusRegistry();
        JvmMetrics.builder().register(registry);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrometheusTextFormatWriter.builder().build().write(text, registry.scrape());
        text.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0])
                .forEach(names::add);
        return names;
    }

    /** The values that a panel compares the labels of a metric with, in their order. */
    private List<String> comparedWith(String metric) {
        List<String> values = new ArrayList<>();
        dashboard.expressions().stream()
                .filter(expression -> expression.contains(metric))
                .forEach(expression -> {
                    Matcher state = STATE.matcher(expression);
                    while (state.find()) {
                        values.add(state.group(2));
                    }
                });
        return values;
    }

    private static List<String> spellings(Enum<?>[] states) {
        return Arrays.stream(states)
                .map(state -> state.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    private static List<String> with(List<String> some, String... more) {
        return Stream.concat(some.stream(), Stream.of(more)).toList();
    }
}
