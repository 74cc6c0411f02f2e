package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.kafka.KafkaBroker;
import io.sluice.testkit.mysql.MySqlServer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops the broker for a while. */
@Timeout(1200)
class BrokerOutageIT {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerOutageIT.class);
    private static final String FAILURE = "delivery failed";
    private static final long SEED = 71;

    private static MySqlServer mysql;
    private static KafkaBroker kafka;

    @BeforeAll
    static void startServers() {
        mysql = MySqlServer.start();
        Pipeline.allow(mysql);
        kafka = KafkaBroker.start();
    }

    @AfterAll
    static void stopServers() {
        kafka.close();
        mysql.close();
    }

    @Tag("thorough")
    @Test
    void losesNothingAndDoesNotRunHotWhileManyAttemptsFail() throws Exception {
        survive(Pipeline.Mode.FLAT, kafka.shortTimeouts(), 5);
    }

    /** An attempt takes half a minute then. */
    @Tag("thorough")
    @Test
    void losesNothingAndDoesNotRunHotWithTheDefaults() throws Exception {
        survive(Pipeline.Mode.RAW, Map.of(), 1);
    }

    /** The outage lasts until so many attempts have failed; the server may not work hard meanwhile. */
    private static void survive(Pipeline.Mode mode, Map<String, String> settings, int attempts) throws Exception {
        String name = "outage_" + mode.name().toLowerCase(Locale.ROOT);
        try (Pipeline pipeline = new Pipeline(mysql, kafka, mode, name, settings)) {
            PackagedServer server = pipeline.server();
            server.start();
            pipeline.change(SEED, name + "_before", 3_000).join();
            await().atMost(Duration.ofMinutes(4)).until(() -> pipeline.delivered() > 0);
            CompletableFuture<?> changes = pipeline.change(SEED + 1, name + "_during", 30_000);
            kafka.stop();
            changes.join();

            long lines = server.logLines();
            Duration processorTime = server.processorTime();
            long begin = System.nanoTime();
            await().pollDelay(Duration.ofSeconds(5)) // or there may be nothing to measure
                    .atMost(Duration.ofMinutes(5))
                    .until(() -> server.logLinesWith(FAILURE) >= attempts);
            Duration outage = Duration.ofNanos(System.nanoTime() - begin);
            Duration work = server.processorTime().minus(processorTime);
            LOG.info(
                    "{}: outage={} processorTime={} failures={} lines={}",
                    name,
                    outage,
                    work,
                    server.logLinesWith(FAILURE),
                    server.logLines() - lines);
            assertThat(work).isLessThan(outage.dividedBy(2));
            assertThat(server.logLinesWith(FAILURE)).isLessThanOrEqualTo(30);
            assertThat(server.logLines() - lines).isLessThan(200);

            kafka.restart();
            pipeline.change(SEED + 2, name + "_after", 1_000).join();
            pipeline.requireDelivered(Duplicates.ALLOWED, name + "_before", name + "_during", name + "_after");
            assertThat(server.isRunning()).isTrue();
        }
    }
}
