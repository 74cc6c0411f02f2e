package io.sluice.deployer.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The alert rules that the package has, and their tests. */
public final class AlertRules {
    static final Path FILE = Path.of("src/main/package/conf/metrics/sluice-alerts.yml");
    /** Names the rules by their place in the sources, so it is read there and not where the build copies it to. */
    static final Path TESTS = Path.of("src/test/resources/sluice-alerts-test.yml");

    private AlertRules() {}

    /** Each rule, in the order of the file. */
    public static List<JsonNode> read() throws IOException {
        List<JsonNode> rules = new ArrayList<>();
        new YAMLMapper()
                .readTree(FILE.toFile())
                .path("groups")
                .forEach(group -> group.path("rules").forEach(rules::add));
        return rules;
    }

    /** What is expected of an alert, one list for each time that is looked at. */
    static List<JsonNode> expectations(String alert) throws IOException {
        List<JsonNode> expected = new ArrayList<>();
        new YAMLMapper()
                .readTree(TESTS.toFile())
                .path("tests")
                .forEach(test -> test.path("alert_rule_test").forEach(look -> {
                    if (look.path("alertname").asText().equals(alert)) {
                        expected.add(look.path("exp_alerts"));
                    }
                }));
        return expected;
    }
}
