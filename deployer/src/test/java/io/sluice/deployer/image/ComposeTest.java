package io.sluice.deployer.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.server.ServerMode;
import io.sluice.server.config.text.Environment;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What can be wrong with the compose file without an engine to run it. */
class ComposeTest {
    private static final Path FOLDER =
            Path.of("../packaging/compose").toAbsolutePath().normalize();

    private final YAMLMapper yaml = new YAMLMapper();
    private JsonNode compose;

    @BeforeEach
    void read() throws IOException {
        compose = yaml.readTree(FOLDER.resolve("compose.yaml").toFile());
    }

    @Test
    void everyFileThatIsMountedExistsAndEveryVolumeIsDeclared() {
        List<String> mounts = new ArrayList<>();
        compose.path("services")
                .forEach(service -> service.path("volumes").forEach(volume -> mounts.add(volume.asText())));
        TreeSet<String> named = new TreeSet<>();
        for (String mount : mounts) {
            String source = mount.split(":")[0];
            if (source.startsWith(".")) {
                assertThat(FOLDER.resolve(source).normalize()).exists();
            } else {
                named.add(source);
            }
        }

        assertThat(mounts).hasSizeGreaterThan(8);
        TreeSet<String> declared = new TreeSet<>();
        compose.path("volumes").fieldNames().forEachRemaining(declared::add);
        assertThat(named).isEqualTo(declared);
    }

    /** Its root is read-only, so each place that is written must be a mount. */
    @Test
    void theServerHasAMountForEachVolumeOfTheImage() throws IOException {
        JsonNode sluice = compose.path("services").path("sluice");
        List<String> targets = new ArrayList<>();
        sluice.path("volumes").forEach(volume -> targets.add(volume.asText().split(":")[1]));

        assertThat(sluice.path("read_only").asBoolean()).isTrue();
        assertThat(targets)
                .containsAll(
                        Dockerfile.read(FOLDER.resolve("../image/Dockerfile")).words("VOLUME"));
        Path context = FOLDER.resolve(sluice.path("build").path("context").asText());
        assertThat(context.resolve(sluice.path("build").path("dockerfile").asText()))
                .exists();
    }

    @Test
    void theServerAcceptsItsConfiguration() throws Exception {
        Environment environment = new Environment(
                Map.of(),
                Map.of(
                        "canal.instance.dbPassword",
                        "canal",
                        "canal.conf.dir",
                        FOLDER.resolve("sluice").toString()),
                (Inet4Address) InetAddress.getByAddress(new byte[] {127, 0, 0, 1}),
                2);

        Configuration configuration = ConfigLoader.load(
                FOLDER.resolve("sluice/canal.properties"), FOLDER.resolve("sluice"), environment, ProducerCheck.NONE);

        assertThat(configuration.warnings()).isEmpty();
        assertThat(configuration.server().mode()).isEqualTo(ServerMode.KAFKA);
        assertThat(configuration.server().destinations()).containsExactly("shop");
        assertThat(compose.path("services").path("sluice").path("environment").has("canal.instance.dbPassword"))
                .isTrue();
        assertThat(configuration.server().producerProperties().get("kafka.bootstrap.servers"))
                .startsWith("kafka:");
    }

    @Test
    void prometheusReadsTheServerAsTheJobOfTheAlerts() throws IOException {
        JsonNode prometheus =
                yaml.readTree(FOLDER.resolve("prometheus/prometheus.yml").toFile());

        JsonNode job = prometheus.path("scrape_configs").get(0);
        assertThat(job.path("job_name").asText()).isEqualTo("sluice");
        assertThat(job.path("static_configs").get(0).path("targets").get(0).asText())
                .isEqualTo("sluice:11112");
        String rules = prometheus.path("rule_files").get(0).asText();
        assertThat(compose.path("services").path("prometheus").path("volumes"))
                .anyMatch(volume -> volume.asText().endsWith("/sluice-alerts.yml:" + rules + ":ro"));
    }

    @Test
    void grafanaShowsTheDashboardOfThePackage() throws IOException {
        JsonNode provider = yaml.readTree(
                        FOLDER.resolve("grafana/dashboards/sluice.yml").toFile())
                .path("providers")
                .get(0);

        assertThat(compose.path("services").path("grafana").path("volumes"))
                .anyMatch(volume -> volume.asText()
                        .endsWith("/conf/metrics/sluice-dashboard.json:"
                                + provider.path("options").path("path").asText() + "/sluice-dashboard.json:ro"));
        assertThat(Files.readString(FOLDER.resolve("grafana/datasources/prometheus.yml")))
                .contains("url: http://prometheus:9090");
    }
}
