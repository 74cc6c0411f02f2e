package io.sluice.deployer.e2e;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.testkit.canal.CanalAdminClient;
import io.sluice.testkit.canal.ClientRefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** What can happen to a {@link SoakCluster}; each is over when it returns, and the cluster may not yet have recovered from it. */
enum SoakFault {
    OWNER_KILLED {
        @Override
        void strike(SoakCluster cluster, Random random) {
            Member struck = cluster.active();
            struck.server().kill();
            last(random, 10_000);
            struck.server().start();
        }
    },
    BOTH_KILLED {
        @Override
        void strike(SoakCluster cluster, Random random) {
            cluster.members().forEach(member -> member.server().kill());
            last(random, 3_000);
            cluster.members().forEach(member -> member.server().start());
        }
    },
    OWNER_FROZEN {
        @Override
        void strike(SoakCluster cluster, Random random) {
            long epoch = cluster.owner.epoch();
            Member struck = cluster.active();
            struck.server().pause();
            await().atMost(PATIENCE).until(() -> cluster.owner.isLaterThan(epoch));
            last(random, 5_000);
            struck.server().resume();
        }
    },
    OWNER_FROZEN_BRIEFLY {
        @Override
        void strike(SoakCluster cluster, Random random) {
            Member struck = cluster.active();
            struck.server().pause();
            last(random, 6_000);
            struck.server().resume();
        }
    },
    OWNER_ISOLATED {
        @Override
        void strike(SoakCluster cluster, Random random) {
            Member struck = cluster.active();
            struck.toZooKeeper().freeze();
            last(random, 15_000);
            struck.toZooKeeper().thaw();
        }
    },
    SESSION_EXPIRED {
        @Override
        void strike(SoakCluster cluster, Random random) {
            cluster.active();
            cluster.zooKeeper.expireOwnerOf(cluster.owner.node());
        }
    },
    OWNER_STOPPED {
        @Override
        void strike(SoakCluster cluster, Random random) {
            Member struck = cluster.active();
            struck.server().stop();
            last(random, 3_000);
            struck.server().start();
        }
    },
    OTHER_STOPPED {
        @Override
        void strike(SoakCluster cluster, Random random) {
            Member struck = cluster.other();
            struck.server().stop();
            last(random, 3_000);
            struck.server().start();
        }
    },
    RELEASED {
        @Override
        void strike(SoakCluster cluster, Random random) throws Exception {
            post(cluster, cluster.active(), "release");
        }
    },
    INSTANCE_STOPPED {
        @Override
        void strike(SoakCluster cluster, Random random) {
            Member struck = cluster.active();
            command(cluster, struck, "stop");
            last(random, 5_000);
            command(cluster, struck, "start");
        }
    },
    INSTANCE_RESTARTED {
        @Override
        void strike(SoakCluster cluster, Random random) throws Exception {
            post(cluster, cluster.active(), "restart");
        }
    },
    INSTANCE_PAUSED {
        @Override
        void strike(SoakCluster cluster, Random random) throws Exception {
            post(cluster, cluster.active(), "pause");
            last(random, 3_000);
            if (random.nextBoolean()) {
                SESSION_EXPIRED.strike(cluster, random);
            }
            resume(cluster);
        }
    },
    CONFIGURATION_RELOADED {
        @Override
        void strike(SoakCluster cluster, Random random) throws Exception {
            String size = List.of("256", "512", "1024").get(random.nextInt(3));
            for (Member member : cluster.members()) {
                Path file = member.server().instanceFolder().resolve("instance.properties");
                Stream<String> others = Files.readAllLines(file).stream().filter(line -> !line.startsWith(BUFFER));
                Files.write(
                        file,
                        Stream.concat(others, Stream.of(BUFFER + " = " + size)).toList());
                cluster.api(member).post("/reload", JSON.createObjectNode());
            }
        }
    },
    ZOOKEEPER_RESTARTED {
        @Override
        void strike(SoakCluster cluster, Random random) {
            cluster.zooKeeper.restart();
        }
    },
    ZOOKEEPER_STOPPED {
        @Override
        void strike(SoakCluster cluster, Random random) {
            cluster.zooKeeper.stop();
            last(random, 15_000);
            cluster.zooKeeper.resume();
        }
    },
    BROKER_STOPPED {
        @Override
        void strike(SoakCluster cluster, Random random) throws Exception {
            cluster.kafka.stop();
            during(cluster, random);
            cluster.kafka.restart();
        }
    },
    BROKER_KILLED {
        @Override
        void strike(SoakCluster cluster, Random random) throws Exception {
            cluster.kafka.server().kill();
            during(cluster, random);
            cluster.kafka.restart();
        }
    },
    BROKER_FROZEN {
        @Override
        void strike(SoakCluster cluster, Random random) throws Exception {
            cluster.kafka.pause();
            during(cluster, random);
            cluster.kafka.resume();
        }
    },
    BROKER_CUT {
        @Override
        void strike(SoakCluster cluster, Random random) {
            cluster.kafka.gate().cutAfter(random.nextInt(100_000));
            last(random, 1_000);
            cluster.kafka.gate().cut();
        }
    },
    BROKER_UNREACHABLE {
        @Override
        void strike(SoakCluster cluster, Random random) throws Exception {
            if (random.nextBoolean()) {
                cluster.kafka.gate().freezeAnswers();
            } else {
                cluster.kafka.gate().freeze();
            }
            during(cluster, random);
            if (random.nextBoolean()) {
                cluster.kafka.gate().cut();
            }
            cluster.kafka.gate().thaw();
        }
    },
    SOURCE_KILLED {
        @Override
        void strike(SoakCluster cluster, Random random) throws Exception {
            cluster.source().kill();
            during(cluster, random);
            cluster.source().restart();
        }
    },
    SOURCE_STOPPED {
        @Override
        void strike(SoakCluster cluster, Random random) {
            cluster.source().restart();
        }
    },
    SOURCE_CUT {
        @Override
        void strike(SoakCluster cluster, Random random) {
            for (int cuts = 1 + random.nextInt(4); cuts > 0; cuts--) {
                cluster.toSource.cut();
                last(random, 1_500);
            }
        }
    },
    SOURCE_UNREACHABLE {
        @Override
        void strike(SoakCluster cluster, Random random) {
            cluster.toSource.freeze();
            last(random, 6_000);
            if (random.nextBoolean()) {
                cluster.toSource.cut();
            }
            cluster.toSource.thaw();
        }
    },
    HISTORY_KILLED {
        @Override
        void strike(SoakCluster cluster, Random random) throws Exception {
            cluster.histories.kill();
            during(cluster, random);
            cluster.histories.restart();
        }
    },
    SOURCE_SWITCHED {
        @Override
        void strike(SoakCluster cluster, Random random) {
            cluster.switchSource(() -> last(random, 20_000));
        }
    },
    LOGS_PURGED {
        @Override
        void strike(SoakCluster cluster, Random random) throws Exception {
            cluster.source().execute("FLUSH BINARY LOGS");
            String cursor =
                    cluster.zooKeeper.text("/otter/canal/destinations/%s/1001/cursor".formatted(SoakCluster.INSTANCE));
            if (cursor != null && !cluster.isPaired()) {
                String file = JSON.readTree(cursor).findValue("journalName").asText();
                cluster.source().execute("PURGE BINARY LOGS TO '%s'".formatted(file));
            }
        }
    };

    private static final String BUFFER = "canal.instance.memory.buffer.size";
    private static final List<SoakFault> ALL = List.of(values());
    private static final int SWITCHED_ONE_IN = 5;

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What can happen while something else is down. */
    private static final List<SoakFault> BESIDES = List.of(
            OWNER_KILLED, OWNER_FROZEN, SESSION_EXPIRED, RELEASED, SOURCE_CUT, OWNER_STOPPED, INSTANCE_RESTARTED);

    abstract void strike(SoakCluster cluster, Random random) throws Exception;

    /** One that can happen to the cluster; where there is a replica, often that it becomes the source. */
    static SoakFault any(SoakCluster cluster, Random random) {
        SoakFault fault = ALL.get(random.nextInt(ALL.size()));
        if (!cluster.isPaired()) {
            return fault == SOURCE_SWITCHED ? SOURCE_KILLED : fault;
        }
        return random.nextInt(SWITCHED_ONE_IN) == 0 ? SOURCE_SWITCHED : fault;
    }

    private static void last(Random random, int maxMillis) {
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(maxMillis)).toNanos());
    }

    /** How long something is down, and what happens meanwhile. */
    private static void during(SoakCluster cluster, Random random) throws Exception {
        last(random, 5_000);
        if (random.nextInt(3) == 0) {
            BESIDES.get(random.nextInt(BESIDES.size())).strike(cluster, random);
        }
    }

    /** A command that the server may refuse, as when it has just lost the instance. */
    private static void post(SoakCluster cluster, Member member, String command) throws Exception {
        ObjectNode body = JSON.createObjectNode();
        try {
            JsonNode unused =
                    cluster.api(member).post("/instances/%s/%s".formatted(SoakCluster.INSTANCE, command), body);
        } catch (AssertionError e) {
            if (!String.valueOf(e.getMessage()).contains("409")) {
                throw e;
            }
        }
    }

    private static void resume(SoakCluster cluster) {
        await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            Member active = cluster.active();
            JsonNode unused = cluster.api(active)
                    .post("/instances/%s/resume".formatted(SoakCluster.INSTANCE), JSON.createObjectNode());
            return !cluster.api(active)
                    .instance(SoakCluster.INSTANCE)
                    .path("paused")
                    .asBoolean(true);
        });
    }

    /** By canal's protocol, as a console sends it. */
    private static void command(SoakCluster cluster, Member member, String action) {
        await().atMost(PATIENCE).ignoreException(ClientRefusedException.class).until(() -> {
            try (CanalAdminClient client =
                    CanalAdminClient.connect(cluster.adminPort(member), "admin", SoakCluster.ADMIN_PASSWORD)) {
                String unused = client.instance(SoakCluster.INSTANCE, action);
                return true;
            }
        });
    }
}
