package io.sluice.deployer.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import io.sluice.server.version.BuildVersion;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Commands.Outcome;
import java.io.File;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Helm chart; what it renders is looked at where {@code helm} is installed. */
class HelmChartTest {
    private static final Path CHART =
            Path.of("../packaging/helm/sluice").toAbsolutePath().normalize();
    private static final String VALUES = """
            config: {kafka.bootstrap.servers: "broker:9092"}
            instances:
              shop:
                canal.instance.master.address: mysql:3306
                canal.instance.dbUsername: canal
                canal.instance.filter.regex: shop\\..*
                canal.mq.topic: shop
              till_2:
                canal.instance.master.address: till:3306
                canal.instance.dbUsername: canal
                canal.mq.topic: till
            secret: {values: {canal.instance.dbPassword: s3cret}}
            serviceMonitor: {enabled: true}
            prometheusRule: {enabled: true}
            """;

    private final YAMLMapper yaml = new YAMLMapper();

    @TempDir
    private Path folder;

    @Test
    void itsAlertsAreThoseOfThePackage() {
        assertThat(CHART.resolve("files/sluice-alerts.yml"))
                .hasSameTextualContentAs(Path.of("src/main/package/conf/metrics/sluice-alerts.yml"));
    }

    @Test
    void itIsForTheVersionOfTheProject() throws IOException {
        JsonNode chart = yaml.readTree(CHART.resolve("Chart.yaml").toFile());

        assertThat(chart.path("appVersion").asText())
                .isEqualTo(BuildVersion.ofThisBuild().version());
    }

    @Test
    void everyValueIsInTheSchemaAndTheOtherWayRound() throws IOException {
        JsonNode values = yaml.readTree(CHART.resolve("values.yaml").toFile());
        JsonNode schema = new ObjectMapper()
                .readTree(CHART.resolve("values.schema.json").toFile())
                .path("properties");
        TreeSet<String> inSchema = new TreeSet<>();
        schema.fieldNames().forEachRemaining(inSchema::add);
        inSchema.remove("global"); // Helm's own

        TreeSet<String> inValues = new TreeSet<>();
        values.fieldNames().forEachRemaining(inValues::add);
        assertThat(inValues).isEqualTo(inSchema);
        schema.properties()
                .forEach(property -> property.getValue()
                        .path("properties")
                        .fieldNames()
                        .forEachRemaining(name -> assertThat(
                                        values.path(property.getKey()).has(name))
                                .as("%s.%s", property.getKey(), name)
                                .isTrue()));
    }

    @Test
    void helmAcceptsIt() throws IOException {
        Outcome outcome = helm("lint", "--strict", CHART.toString());

        assertThat(outcome.status()).as(outcome.output()).isZero();
    }

    @Test
    void theServerAcceptsTheConfigurationThatIsRendered() throws Exception {
        List<JsonNode> objects = render();
        Path conf = Files.createDirectories(folder.resolve("conf"));
        Files.writeString(
                conf.resolve("canal.properties"),
                data(objects, "r-sluice").path("canal.properties").asText());
        for (String instance : List.of("shop", "till_2")) {
            Files.createDirectories(conf.resolve(instance));
            Files.writeString(
                    conf.resolve(instance).resolve("instance.properties"),
                    data(objects, "r-sluice-instances")
                            .path(instance + ".properties")
                            .asText());
        }

        Configuration configuration = ConfigLoader.load(
                conf.resolve("canal.properties"),
                conf,
                new Environment(
                        Map.of(),
                        Map.of("canal.instance.dbPassword", "s3cret", "canal.conf.dir", conf.toString()),
                        (Inet4Address) InetAddress.getByAddress(new byte[] {127, 0, 0, 1}),
                        2),
                ProducerCheck.NONE);

        assertThat(configuration.server().destinations()).containsExactly("shop", "till_2");
        assertThat(configuration.warnings()).isEmpty();
    }

    @Test
    void thePodMayWriteOnlyWhereTheImageHasVolumes() throws IOException {
        JsonNode pod =
                only(render(), "StatefulSet").path("spec").path("template").path("spec");
        JsonNode container = pod.path("containers").get(0);

        assertThat(container
                        .path("securityContext")
                        .path("readOnlyRootFilesystem")
                        .asBoolean())
                .isTrue();
        List<String> writable = new ArrayList<>();
        container.path("volumeMounts").forEach(mount -> {
            if (!mount.path("readOnly").asBoolean()) {
                writable.add(mount.path("mountPath").asText());
            }
        });
        Dockerfile image = Dockerfile.read(CHART.resolve("../../image/Dockerfile"));
        assertThat(writable).containsExactlyInAnyOrderElementsOf(image.words("VOLUME"));
        assertThat(pod.path("securityContext").path("runAsUser").asText() + ":"
                        + pod.path("securityContext").path("runAsGroup").asText())
                .isEqualTo(image.last("USER").get(0));
        assertThat(container.path("livenessProbe").path("httpGet").path("path").asText())
                .isEqualTo("/health/live");
        assertThat(StreamSupport.stream(container.path("env").spliterator(), false)
                        .map(variable -> variable.path("name").asText()))
                .containsAll(image.environment().keySet());
    }

    @Test
    void severalServersKeepTheirCursorsInZooKeeperAndNeedNoVolumes() throws IOException {
        List<JsonNode> objects = render(
                "--set",
                "replicaCount=3,zookeeper.servers=zk:2181,zookeeper.historyUrl=jdbc:mysql://db:3306/history,mode=tcp");

        assertThat(only(objects, "StatefulSet").path("spec").has("volumeClaimTemplates"))
                .isFalse();
        assertThat(only(objects, "PodDisruptionBudget")
                        .path("spec")
                        .path("maxUnavailable")
                        .asInt())
                .isOne();
        assertThat(data(objects, "r-sluice").path("canal.properties").asText())
                .contains("canal.zkServers = zk:2181\n", "canal.instance.tsdb.url = jdbc:mysql://db:3306/history\n");
        assertThat(only(render(), "StatefulSet").path("spec").has("volumeClaimTemplates"))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "instances=null                                   | instances is empty",
                "replicaCount=2                                   | without zookeeper.servers",
                "replicaCount=2,zookeeper.servers=zk:2181         | without zookeeper.historyUrl",
                "config.canal\\.destinations=shop                 | config has canal.destinations, which the chart sets",
                "replicas=2                                       | 'replicas' not allowed",
                "mode=pigeon                                      | mode",
                "terminationGracePeriodSeconds=30                 | terminationGracePeriodSeconds",
            })
    void whatCannotWorkIsRejected(String values, String message) throws IOException {
        Outcome outcome = template("--set", values);

        assertThat(outcome.status()).isNotZero();
        assertThat(outcome.output()).contains(message);
    }

    private List<JsonNode> render(String... arguments) throws IOException {
        Outcome outcome = template(arguments);
        assertThat(outcome.status()).as(outcome.output()).isZero();
        try (MappingIterator<JsonNode> documents =
                yaml.readerFor(JsonNode.class).readValues(outcome.output())) {
            return documents.readAll();
        }
    }

    private Outcome template(String... arguments) throws IOException {
        Path values = Files.writeString(folder.resolve("values.yaml"), VALUES);
        List<String> command = new ArrayList<>(
                List.of("template", "r", CHART.toString(), "--kube-version", "1.31.0", "-f", values.toString()));
        command.addAll(List.of(arguments));
        return helm(command.toArray(String[]::new));
    }

    private Outcome helm(String... arguments) throws IOException {
        assumeThat(Stream.of(System.getenv("PATH").split(File.pathSeparator)))
                .as("helm is installed")
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "helm")));
        Path values = Files.writeString(folder.resolve("values.yaml"), VALUES);
        List<String> command = new ArrayList<>(List.of("helm"));
        command.addAll(List.of(arguments));
        if ("lint".equals(arguments[0])) {
            command.addAll(List.of("-f", values.toString()));
        }
        return Commands.run(folder, Map.of("HOME", folder.toString()), command);
    }

    private static JsonNode only(List<JsonNode> objects, String kind) {
        List<JsonNode> found = objects.stream()
                .filter(object -> object.path("kind").asText().equals(kind))
                .toList();
        assertThat(found).as(kind).hasSize(1);
        return found.get(0);
    }

    private static JsonNode data(List<JsonNode> objects, String name) {
        return objects.stream()
                .filter(object -> "ConfigMap".equals(object.path("kind").asText())
                        && object.path("metadata").path("name").asText().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no ConfigMap " + name))
                .path("data");
    }
}
