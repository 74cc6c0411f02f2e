package io.sluice.testkit.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("thorough")
@Timeout(600)
class PromtoolIT {
    private static final String GOOD_RULES = """
            groups:
              - name: delays
                rules:
                  - alert: Behind
                    expr: lag_seconds > 60
            """;

    @TempDir
    private Path folder;

    @Test
    void acceptsGoodMetrics() {
        assertThat(Promtool.find().checkMetrics("""
                # HELP lag_seconds How far behind the source.
                # TYPE lag_seconds gauge
                lag_seconds{instance="shop"} 3
                """)).isEmpty();
    }

    @Test
    void reportsAllThatIsUnusualAboutMetrics() {
        assertThat(Promtool.find().checkMetrics("""
                # HELP rows_total How many rows.
                # TYPE rows_total gauge
                rows_total 1
                # TYPE lag_seconds gauge
                lag_seconds 3
                """))
                .containsExactlyInAnyOrder(
                        "rows_total non-counter metrics should not have \"_total\" suffix", "lag_seconds no help text");
    }

    @Test
    void reportsWhereMetricsCannotBeRead() {
        assertThat(Promtool.find().checkMetrics("lag_seconds 3\nlag_seconds{ 4\n"))
                .singleElement()
                .asString()
                .contains("parsing error in line 2");
    }

    @Test
    void acceptsGoodRules() throws IOException {
        assertThat(Promtool.find().checkRules(write("rules.yml", GOOD_RULES))).isEmpty();
    }

    @Test
    void reportsAnInvalidExpression() throws IOException {
        Path rules = write("rules.yml", GOOD_RULES.replace("lag_seconds >", "rate(lag_seconds[5m) >"));

        assertThat(Promtool.find().checkRules(rules))
                .singleElement()
                .asString()
                .contains("\"Behind\": could not parse expression");
    }

    /** To Prometheus that is a matter of taste, unless it is told otherwise. */
    @Test
    void findsDuplicateRules() throws IOException {
        Path rules = write("rules.yml", GOOD_RULES + """
                  - alert: Behind
                    expr: lag_seconds > 90
            """);

        assertThat(Promtool.find().checkRules(rules))
                .contains("lint error 1 duplicate rule(s) found.", "Metric: Behind");
    }

    @Test
    void comparesAlertsWithThoseExpected() throws IOException {
        write("rules.yml", GOOD_RULES);
        Path kept = write("kept.yml", test("rules.yml", 61));
        Path broken = write("broken.yml", test("rules.yml", 60));

        assertThat(Promtool.find().testRules(kept)).isEmpty();
        assertThat(Promtool.find().testRules(broken))
                .anyMatch(line -> line.contains("alertname: Behind"))
                .anyMatch(line -> line.contains("got:[]"));
    }

    /** Promtool itself reports no fault then, if no alert is expected. */
    @Test
    void doesNotTestRulesThatAreMissing() throws IOException {
        Path tests = write("tests.yml", """
                rule_files: [nothing.yml]
                tests:
                  - alert_rule_test:
                      - {eval_time: 0m, alertname: Behind, exp_alerts: []}
                """);

        assertThat(Promtool.find().testRules(tests))
                .singleElement()
                .asString()
                .contains("no file match pattern", "nothing.yml");
    }

    private static String test(String rules, int seconds) {
        return """
                rule_files: [%s]
                tests:
                  - interval: 1m
                    input_series: [{series: 'lag_seconds{instance="shop"}', values: '%d'}]
                    alert_rule_test:
                      - {eval_time: 0m, alertname: Behind, exp_alerts: [{exp_labels: {instance: shop}}]}
                """.formatted(rules, seconds);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
