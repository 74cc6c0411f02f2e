package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two servers share an instance through ZooKeeper, and again and again the one that runs it is lost while changes happen.
 *
 * <p>{@code -Dsluice.takeovers=20} makes it longer.
 */
@Timeout(1800)
class TakeOverIT {
    private static final Logger LOG = LoggerFactory.getLogger(TakeOverIT.class);
    private static final long SEED = 67;
    private static final int CHANGES_PER_SCHEMA = 1_500;
    private static final Duration SESSION = Duration.ofSeconds(6);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static MySqlServer mysql;
    private static KafkaServer kafka;

    private enum Fault {
        KILLED,
        PAUSED,
        CUT_OFF
    }

    @BeforeAll
    static void startServers() {
        mysql = MySqlServer.start();
        Pipeline.allow(mysql);
        kafka = KafkaServer.start();
    }

    @AfterAll
    static void stopServers() {
        kafka.close();
        mysql.close();
    }

    /** What comes twice is a repetition, in full and in order; a former owner's records are known by their epoch. */
    @ParameterizedTest
    @EnumSource
    void losesNothingAndNeverDeliversTwiceAtOnce(Pipeline.Mode mode) throws Exception {
        int rounds = Integer.getInteger("sluice.takeovers", 3);
        String name = "taken_" + mode.name().toLowerCase(Locale.ROOT);
        try (ZooKeeperNode zooKeeper = ZooKeeperNode.start();
                Pipeline pipeline = new Pipeline(mysql, kafka, mode, name, settings(zooKeeper))) {
            Map<String, PackagedServer> servers = new HashMap<>();
            servers.put("127.0.0.1:11111", pipeline.server());
            String port = Integer.toString(FreePorts.next());
            servers.put("127.0.0.1:" + port, pipeline.addServer(Map.of("canal.port", port)));
            servers.values().forEach(PackagedServer::start);
            Watch watch = new Watch(zooKeeper, name);
            AtomicBoolean enough = new AtomicBoolean();
            CompletableFuture<List<String>> load = load(pipeline, name, enough);
            Map<Long, Fault> faults = new HashMap<>();
            Map<Fault, List<Long>> millis = new HashMap<>();

            for (int round = 0; round < rounds; round++) {
                awaitMore(pipeline);
                Fault fault = Fault.values()[round % Fault.values().length];
                long epoch = watch.epoch();
                PackagedServer active = servers.get(watch.owner());
                faults.put(epoch, fault);
                long begin = System.nanoTime();
                strike(fault, active, zooKeeper, watch);
                await().pollInterval(Duration.ofMillis(20))
                        .atMost(PATIENCE)
                        .until(() -> watch.epoch() > epoch && !watch.owner().isEmpty());
                awaitMore(pipeline);
                millis.computeIfAbsent(fault, any -> new ArrayList<>()).add((System.nanoTime() - begin) / 1_000_000);
                heal(fault, active);
                await().atMost(PATIENCE).until(() -> watch.candidates() == 2);
            }
            enough.set(true);
            String[] schemas = load.join().toArray(String[]::new);

            StateModel model = pipeline.requireDelivered(Duplicates.ALLOWED, schemas);

            LOG.info(
                    "mode={} takeOverMillis={} sessionMillis={} distinct={} repeated={} staleRecordsByEpoch={}",
                    mode,
                    millis,
                    SESSION.toMillis(),
                    model.distinctChanges(),
                    model.repeatedChanges(),
                    pipeline.staleRecords());
            System.err.println("TAKEOVER mode=" + mode + " millis=" + millis + " distinct=" + model.distinctChanges()
                    + " repeated=" + model.repeatedChanges() + " stale=" + pipeline.staleRecords());
            pipeline.staleRecords()
                    .keySet()
                    .forEach(epoch -> assertThat(faults.get(epoch))
                            .as("only a process that was stopped between its last look at the clock and its last write"
                                    + " may be late")
                            .isEqualTo(Fault.PAUSED));
        }
    }

    /** A clean stop does not wait for the session's end. */
    private static Map<String, String> settings(ZooKeeperNode zooKeeper) {
        return Map.of(
                "canal.zkServers", zooKeeper.connectString(),
                "canal.register.ip", "127.0.0.1",
                "canal.zookeeper.session.timeout", Long.toString(SESSION.toMillis()),
                "canal.zookeeper.balance.delay", "0",
                "canal.instance.global.spring.xml", "classpath:spring/default-instance.xml");
    }

    private static CompletableFuture<List<String>> load(Pipeline pipeline, String name, AtomicBoolean enough) {
        return CompletableFuture.supplyAsync(() -> {
            List<String> schemas = new ArrayList<>();
            while (!enough.get()) {
                String schema = name + "_" + schemas.size();
                pipeline.change(SEED + schemas.size(), schema, CHANGES_PER_SCHEMA)
                        .join();
                schemas.add(schema);
            }
            return schemas;
        });
    }

    private static void awaitMore(Pipeline pipeline) {
        long before = pipeline.delivered();
        try {
            await().pollInterval(Duration.ofMillis(50))
                    .atMost(PATIENCE)
                    .until(() -> pipeline.delivered() > before + 20);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("nothing more is delivered\n" + pipeline.logs(), e);
        }
    }

    private static void strike(Fault fault, PackagedServer active, ZooKeeperNode zooKeeper, Watch watch) {
        switch (fault) {
            case KILLED -> active.kill();
            case PAUSED -> active.pause();
            case CUT_OFF -> assertThat(zooKeeper.expireOwnerOf(watch.running)).isTrue();
        }
    }

    private static void heal(Fault fault, PackagedServer struck) {
        switch (fault) {
            case KILLED -> struck.start();
            case PAUSED -> struck.resume();
            case CUT_OFF -> {}
        }
    }

    /** What ZooKeeper knows of the instance. */
    private static final class Watch {
        private final ZooKeeperNode zooKeeper;
        private final String destination;
        private final String running;

        Watch(ZooKeeperNode zooKeeper, String name) {
            this.zooKeeper = zooKeeper;
            this.destination = "/otter/canal/destinations/" + name;
            this.running = destination + "/running";
        }

        /** {@code ip:port} of the server that runs it; empty if there is none. */
        String owner() {
            String text = zooKeeper.text(running);
            return text == null ? "" : text.replaceAll(".*\"address\":\"([^\"]*)\".*", "$1");
        }

        long epoch() {
            return zooKeeper.version(destination.replace("/otter/canal/", "/otter/sluice/") + "/epoch");
        }

        int candidates() {
            return zooKeeper.children(destination + "/cluster");
        }
    }
}
