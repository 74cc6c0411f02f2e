package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.kafka.KafkaBroker;
import io.sluice.testkit.mysql.MySqlServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Kills the server again and again while changes happen; {@code -Dsluice.kills=10} does so ten times. */
@Timeout(1200)
class CrashIT {
    private static final long SEED = 41;
    private static final int KILLS = Integer.getInteger("sluice.kills", 3);
    private static final int CHANGES_PER_KILL = 4_000;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

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

    /** What comes twice is a repetition, in full and in order, of what came last before the kill. */
    @Test
    void losesNoRowAndRepeatsInOrder() throws Exception {
        losesNothingAndRepeatsInOrder(Pipeline.Mode.FLAT);
    }

    @Tag("thorough")
    @Test
    void losesNoPacketAndRepeatsInOrder() throws Exception {
        losesNothingAndRepeatsInOrder(Pipeline.Mode.RAW);
    }

    private static void losesNothingAndRepeatsInOrder(Pipeline.Mode mode) throws Exception {
        String name = "killed_" + mode.name().toLowerCase(Locale.ROOT);
        Random random = new Random(SEED);
        List<String> schemas = new ArrayList<>();
        try (Pipeline pipeline = new Pipeline(mysql, kafka, mode, name, Map.of())) {
            for (int kill = 0; kill < KILLS; kill++) {
                String schema = name + "_" + kill;
                schemas.add(schema);
                long before = pipeline.delivered();
                pipeline.server().start();
                CompletableFuture<?> changes = pipeline.change(SEED + kill, schema, CHANGES_PER_KILL);
                long more = mode == Pipeline.Mode.FLAT ? 1 + random.nextInt(300) : 1 + random.nextInt(20);
                await().pollInterval(Duration.ofMillis(10))
                        .atMost(PATIENCE)
                        .until(() -> pipeline.delivered() >= before + more);
                pipeline.server().kill();
                changes.join();
            }
            pipeline.server().start();

            StateModel model = pipeline.requireDelivered(Duplicates.ALLOWED, schemas.toArray(String[]::new));

            assertThat(model.distinctChanges()).isGreaterThan((long) KILLS * CHANGES_PER_KILL);
        }
    }
}
