package io.sluice.deployer.e2e;

import static org.awaitility.Awaitility.await;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.protocol.entry.Entry;
import io.sluice.testkit.canal.CanalClient;
import io.sluice.testkit.canal.ClientRefusedException;
import io.sluice.testkit.canal.PulledEntries;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.RawRecords;
import io.sluice.testkit.check.ServerState;
import io.sluice.testkit.check.StateComparison;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.check.TableId;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.workload.RandomWorkload;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * canal's own Java client follows the owner from server to server by ZooKeeper, while the owner is lost again and again.
 *
 * <p>{@code -Dsluice.takeovers=20} makes it longer.
 */
@Timeout(1800)
class PulledTakeOverIT {
    private static final Logger LOG = LoggerFactory.getLogger(PulledTakeOverIT.class);
    private static final long SEED = 71;
    private static final int CHANGES_PER_ROUND = 4_000;
    private static final int BATCHES_BEFORE_THE_FAULT = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String NAME = "followed";

    private static MySqlServer mysql;

    private final StateModel model = new StateModel(Duplicates.ALLOWED);
    private final RawRecords records = new RawRecords();

    @BeforeAll
    static void startMySql() {
        mysql = MySqlServer.start();
        Pipeline.allow(mysql);
    }

    @AfterAll
    static void stopMySql() {
        mysql.close();
    }

    @Test
    void theClientMissesNothing() throws Exception {
        int rounds = Integer.getInteger("sluice.takeovers", 3);
        List<String> schemas = new ArrayList<>();
        List<String> takeOvers = new ArrayList<>();
        Map<String, PackagedServer> servers = new HashMap<>();
        try (ZooKeeperNode zooKeeper = ZooKeeperNode.start()) {
            try {
                BinlogEnd begin = mysql.rotateBinlog();
                for (int i = 0; i < 2; i++) {
                    int port = FreePorts.next();
                    servers.put("127.0.0.1:" + port, server(port, zooKeeper, begin));
                }
                servers.values().forEach(PackagedServer::start);
                Owner owner = new Owner(zooKeeper, NAME);
                await().atMost(PATIENCE).until(() -> owner.isLaterThan(0));
                try (CanalClient client =
                        CanalClient.java(CanalClient.Target.zooKeeper(zooKeeper.connectString(), NAME))) {
                    reconnect(client);
                    for (int round = 0; round < rounds; round++) {
                        Fault fault = Fault.values()[round % Fault.values().length];
                        String schema = NAME + "_" + round;
                        schemas.add(schema);
                        await().atMost(PATIENCE)
                                .until(() -> owner.candidates() == 2
                                        && !owner.address().isEmpty());
                        CompletableFuture<Void> changes = change(SEED + round, schema);
                        pull(client, BATCHES_BEFORE_THE_FAULT);
                        PackagedServer active = servers.get(owner.address());
                        long epoch = owner.epoch();
                        long struck = System.nanoTime();
                        fault.strike(active, zooKeeper, "/otter/canal/destinations/" + NAME + "/running");
                        CompletableFuture<Void> healed = CompletableFuture.runAsync(() -> {
                            await().atMost(PATIENCE).until(() -> owner.isLaterThan(epoch));
                            fault.heal(active);
                        });
                        pull(client, 1);
                        takeOvers.add(fault + "=" + (System.nanoTime() - struck) / 1_000_000);
                        pullUntil(client, new TableId(schema, "sluice_end"));
                        healed.join();
                        changes.join();
                    }
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        takeOvers + " "
                                + servers.values().stream()
                                        .map(PackagedServer::logs)
                                        .toList(),
                        e);
            } finally {
                servers.values().forEach(PackagedServer::close);
            }
        }
        LOG.warn( // for the record: the tests' log shows no less
                "millisToTheNextBatch={} distinct={} repeated={}",
                takeOvers,
                model.distinctChanges(),
                model.repeatedChanges());
        try (Connection connection = mysql.connect()) {
            StateComparison.requireEqual(ServerState.of(connection, schemas.toArray(String[]::new)), model);
        }
    }

    private static PackagedServer server(int port, ZooKeeperNode zooKeeper, BinlogEnd begin) {
        Map<String, String> settings = new HashMap<>(TakeOverIT.cluster(zooKeeper));
        settings.put("canal.serverMode", "tcp");
        settings.put("canal.port", Integer.toString(port));
        return new PackagedServer(
                NAME,
                settings,
                Map.of(
                        "canal.instance.master.address",
                        mysql.host() + ":" + mysql.port(),
                        "canal.instance.dbUsername",
                        Pipeline.USER,
                        "canal.instance.dbPassword",
                        Pipeline.PASSWORD,
                        "canal.instance.master.journal.name",
                        begin.file(),
                        "canal.instance.master.position",
                        Long.toString(begin.offset())));
    }

    private static CompletableFuture<Void> change(long seed, String schema) {
        return CompletableFuture.runAsync(() -> {
            try (Connection connection = mysql.connect()) {
                RandomWorkload workload = new RandomWorkload(
                        RandomWorkload.Options.of(seed, CHANGES_PER_ROUND).schema(schema));
                workload.run(connection);
                workload.markTheEnd(connection);
            } catch (SQLException e) {
                throw new IllegalStateException("the workload of seed %d broke".formatted(seed), e);
            }
        });
    }

    private void pull(CanalClient client, int batches) {
        int[] pulled = {0};
        await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> {
                    pulled[0] += pullOne(client) ? 1 : 0;
                    return pulled[0] >= batches;
                });
    }

    private void pullUntil(CanalClient client, TableId end) {
        await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> {
                    pullOne(client);
                    return model.rowCount(end) == 1 && !model.isRepeating();
                });
    }

    /** Whether there was a batch, and it was acked. A client that has lost its server is connected again. */
    private boolean pullOne(CanalClient client) throws InvalidProtocolBufferException {
        try {
            PulledEntries pulled = client.get(200, 100);
            if (pulled.batchId() < 1) {
                return false;
            }
            for (Entry entry : pulled.entries()) {
                model.apply(records.read(NAME, 0, pulled.batchId(), entry));
            }
            client.ack(pulled.batchId());
            return true;
        } catch (ClientRefusedException e) {
            LOG.warn("the client was refused, connecting again: cause={}", e.getMessage());
            reconnect(client);
            return false;
        }
    }

    private static void reconnect(CanalClient client) {
        await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            client.connect();
            client.subscribe(".*\\..*");
            return true;
        });
    }
}
