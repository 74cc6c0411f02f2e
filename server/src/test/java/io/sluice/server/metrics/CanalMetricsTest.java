package io.sluice.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.instance.DestinationState;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceWiring;
import io.sluice.server.instance.SharedPools;
import io.sluice.testkit.time.HandTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What canal's dashboards read, of an instance that reads nothing. */
class CanalMetricsTest {
    private static final Duration AGE = Duration.ofSeconds(30);

    @TempDir
    private Path home;

    private final HandTime time = new HandTime();

    /** Without protobuf bytes in the store nothing is encoded ahead, as with a queue. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true"})
    void theModeOfTheParserIsWhatItsKeySays(boolean parallel, boolean raw) throws Exception {
        List<MetricSnapshot> found = metrics("""
                canal.instance.parser.parallel = %s
                canal.instance.memory.rawEntry = %s
                """.formatted(parallel, raw));

        assertThat(labels(found, "canal_instance_parser_mode"))
                .containsExactly(Labels.of("destination", "shop", "parallel", Boolean.toString(parallel)));
        assertThat(labels(found, "canal_instance_publish_blocking_time"))
                .isEqualTo(parallel ? List.of(Labels.of("destination", "shop", "parser", "0")) : List.of());
    }

    @Test
    void anInstanceThatSaysNothingOfItIsParallelAsWithCanal() throws Exception {
        assertThat(labels(metrics(""), "canal_instance_parser_mode"))
                .containsExactly(Labels.of("destination", "shop", "parallel", "true"));
    }

    /** However long the server has run: a reload makes another instance. */
    @Test
    void theDelaysOfAnInstanceThatHasNotReadYetCountFromWhenItWasMade() throws Exception {
        List<MetricSnapshot> found = metrics("");

        for (String stage : List.of("traffic", "put", "get", "ack")) {
            assertThat(value(found, "canal_instance_" + stage + "_delay")).isEqualTo((double) AGE.toMillis());
        }
    }

    private static double value(List<MetricSnapshot> found, String name) {
        return found.stream()
                .filter(metric -> metric.getMetadata().getName().equals(name))
                .flatMap(metric -> metric.getDataPoints().stream())
                .mapToDouble(point -> ((GaugeSnapshot.GaugeDataPointSnapshot) point).getValue())
                .sum();
    }

    private static List<Labels> labels(List<MetricSnapshot> found, String name) {
        return found.stream()
                .filter(metric -> metric.getMetadata().getName().equals(name))
                .flatMap(metric -> metric.getDataPoints().stream())
                .map(point -> point.getLabels())
                .toList();
    }

    private List<MetricSnapshot> metrics(String keys) throws Exception {
        Configuration configuration = configuration(keys);
        InstanceConfig config = configuration.instances().get(0);
        try (SharedPools pools = new SharedPools(configuration, time)) {
            DestinationState state = DestinationState.of("shop", 0, pools.timer(), time);
            state.cursors().begin(config.cursor());
            Instance instance =
                    new InstanceWiring(pools).pulled(config, 1, OwnershipTerm.sole(), state, (name, cause) -> {});
            time.pass(AGE);
            Families families = new Families();
            new CanalMetrics(families, time.millis()).add(instance, instance.storeStats());
            instance.stop(Duration.ZERO);
            return families.build().stream().toList();
        }
    }

    private Configuration configuration(String keys) throws Exception {
        Path instance = home.resolve("conf/shop/instance.properties");
        Files.createDirectories(instance.getParent());
        Files.writeString(instance, """
                canal.instance.master.address = 127.0.0.1:9
                canal.instance.tsdb.enable = false
                %s
                """.formatted(keys));
        Path server = Files.writeString(home.resolve("conf/canal.properties"), """
                canal.serverMode = tcp
                canal.ip = 127.0.0.1
                canal.destinations = shop
                canal.file.data.dir = %s
                """.formatted(home.resolve("cursors")));
        return ConfigLoader.load(
                server, Files.createDirectories(home.resolve("bin")), Environment.ofThisProcess(), ProducerCheck.NONE);
    }
}
