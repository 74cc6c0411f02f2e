package io.sluice.deployer.e2e;

import static org.awaitility.Awaitility.await;

import io.sluice.testkit.broker.Broker;
import io.sluice.testkit.broker.BrokerRecord;
import io.sluice.testkit.check.Change;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.FlatRecords;
import io.sluice.testkit.check.RawRecords;
import io.sluice.testkit.check.Row;
import io.sluice.testkit.check.ServerState;
import io.sluice.testkit.check.StateComparison;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.check.TableId;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.workload.RandomWorkload;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** MySQL, a broker, and a packaged server or several between them, with one topic of one partition. */
final class Pipeline implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration ROW_PATIENCE = Duration.ofMinutes(2);
    static final String USER = "canal";
    static final String PASSWORD = "carry them all";

    private final MySqlServer mysql;
    private final Broker broker;
    private final Mode mode;
    private final String topic;
    private final Map<String, String> serverSettings = new LinkedHashMap<>();
    private final Map<String, String> instanceSettings = new LinkedHashMap<>();
    private final List<PackagedServer> servers = new ArrayList<>();
    private final Map<Long, Integer> staleRecords = new TreeMap<>();
    private boolean epochsFall;

    /** The form in which records leave. */
    enum Mode {
        FLAT,
        RAW
    }

    /**
     * Prepares a server that begins where the binlog ends now; nothing is started.
     *
     * @param name of the topic and the instance
     * @param settings more of the server's configuration
     */
    Pipeline(MySqlServer mysql, Broker broker, Mode mode, String name, Map<String, String> settings) {
        this.mysql = mysql;
        this.broker = broker;
        this.mode = mode;
        this.topic = name;
        broker.createTopic(topic, 1);
        BinlogEnd start = mysql.rotateBinlog();
        serverSettings.put("canal.mq.flatMessage", Boolean.toString(mode == Mode.FLAT));
        serverSettings.putAll(broker.settings());
        serverSettings.putAll(settings);
        instanceSettings.put("canal.instance.master.address", mysql.host() + ":" + mysql.port());
        instanceSettings.put("canal.instance.dbUsername", USER);
        instanceSettings.put("canal.instance.dbPassword", PASSWORD);
        instanceSettings.put("canal.instance.master.journal.name", start.file());
        instanceSettings.put("canal.instance.master.position", Long.toString(start.offset()));
        instanceSettings.put("canal.mq.topic", topic);
        addServer(Map.of());
    }

    /** Prepares one more server for the same instance. */
    PackagedServer addServer(Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>(serverSettings);
        all.putAll(settings);
        PackagedServer server = new PackagedServer(topic, all, instanceSettings);
        servers.add(server);
        return server;
    }

    /** Makes the user that all servers replicate as. */
    static void allow(MySqlServer mysql) {
        Set<AuthPlugin> plugins = mysql.release().authPlugins();
        AuthPlugin plugin = plugins.contains(AuthPlugin.CACHING_SHA2_PASSWORD)
                ? AuthPlugin.CACHING_SHA2_PASSWORD
                : AuthPlugin.MYSQL_NATIVE_PASSWORD;
        mysql.createReplicationUser(USER, PASSWORD, plugin);
    }

    PackagedServer server() {
        return servers.get(0);
    }

    /** Changes rows of a schema of its own; completes when all are committed, and fails with the seed. */
    CompletableFuture<RandomWorkload.Counts> change(long seed, String schema, int rows) {
        return CompletableFuture.supplyAsync(() -> {
            try (Connection connection = mysql.connect()) {
                RandomWorkload workload =
                        new RandomWorkload(RandomWorkload.Options.of(seed, rows).schema(schema));
                long begin = System.nanoTime();
                RandomWorkload.Counts counts = workload.run(connection);
                workload.markTheEnd(connection);
                LOG.info("seed={} {} millis={}", seed, counts, (System.nanoTime() - begin) / 1_000_000);
                return counts;
            } catch (SQLException e) {
                throw new IllegalStateException("the workload of seed %d broke".formatted(seed), e);
            }
        });
    }

    /** Waits until the topic has a number of records; fails when none has come for some minutes. */
    void awaitDelivered(long count) {
        long found = delivered();
        while (found < count) {
            long before = found;
            try {
                await().atMost(ROW_PATIENCE)
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> delivered() > before);
            } catch (ConditionTimeoutException e) {
                throw new AssertionError(
                        "the topic has %d records and not %d, and for %s none has come: rows are lost, or the server does not deliver\n%s"
                                .formatted(before, count, ROW_PATIENCE, logs()),
                        e);
            }
            found = delivered();
        }
    }

    /**
     * Hands all changes of the topic, flat, to a receiver, until the condition holds; fails if it does not in time, or when the server
     * has ended.
     */
    void readFlat(Consumer<Change> receiver, BooleanSupplier condition, Duration patience) {
        FlatRecords flat = new FlatRecords();
        try {
            broker.read(
                    topic,
                    record -> flat.read(topic, record.partition(), record.offset(), record.value())
                            .forEach(receiver),
                    () -> condition.getAsBoolean() || servers.stream().noneMatch(PackagedServer::isRunning),
                    patience);
        } catch (IllegalStateException e) {
            throw new AssertionError(e.getMessage() + "\n" + logs(), e);
        }
        if (!condition.getAsBoolean()) {
            throw new AssertionError("the server has ended before all rows came\n" + logs());
        }
    }

    /** The rows of a table that were delivered, as they are after their change, up to the one with an {@code id}. */
    List<Row> rowsUpTo(String table, int id) {
        List<Row> rows = new ArrayList<>();
        AtomicBoolean found = new AtomicBoolean();
        readFlat(
                change -> {
                    if (change instanceof Change.OfRow row
                            && row.after() != null
                            && row.table().table().equals(table)) {
                        rows.add(row.after());
                        found.compareAndSet(
                                false, Integer.toString(id).equals(row.after().value("id")));
                    }
                },
                found::get,
                ROW_PATIENCE);
        return rows;
    }

    /** Has a new server begin at the end of the binlog, as without a configured position. */
    void beginAtTheEnd() {
        for (PackagedServer server : servers) {
            server.configure("canal.instance.master.journal.name", "");
            server.configure("canal.instance.master.position", "");
        }
    }

    /** Has a lower epoch be that of a later owner from now on, since ZooKeeper has lost the larger ones: no record is passed over. */
    void expectEpochsToFall() {
        epochsFall = true;
    }

    /** How many records the topic holds. */
    long delivered() {
        return broker.delivered(topic);
    }

    /**
     * Reads the topic until the end of the last schema's changes has come, and requires that it tells what the tables
     * hold.
     */
    StateModel requireDelivered(Duplicates duplicates, String... schemas) throws SQLException {
        StateModel model = new StateModel(duplicates);
        TableId end = new TableId(schemas[schemas.length - 1], "sluice_end");
        FlatRecords flat = new FlatRecords();
        RawRecords raw = new RawRecords();
        staleRecords.clear();
        long[] newestEpoch = new long[1];
        long begin = System.nanoTime();
        try {
            broker.read(
                    topic,
                    record -> {
                        if (isStale(record, newestEpoch)) {
                            return;
                        }
                        List<Change> changes = mode == Mode.FLAT
                                ? flat.read(topic, record.partition(), record.offset(), record.value())
                                : raw.read(topic, record.partition(), record.offset(), record.value());
                        model.apply(changes);
                    },
                    () -> model.rowCount(end) == 1 && !model.isRepeating(),
                    PATIENCE);
        } catch (IllegalStateException e) {
            throw new AssertionError(e.getMessage() + ", in " + model.problems() + "\n" + logs(), e);
        }
        try (Connection connection = mysql.connect()) {
            StateComparison.requireEqual(ServerState.of(connection, schemas), model);
        }
        LOG.info(
                "{} {}: distinct={} repeated={} checkedInMillis={}",
                topic,
                mode,
                model.distinctChanges(),
                model.repeatedChanges(),
                (System.nanoTime() - begin) / 1_000_000);
        return model;
    }

    /** Whether a former owner has sent a message after one of a later owner. */
    private boolean isStale(BrokerRecord record, long[] newestEpoch) {
        long epoch = Long.parseLong(record.headers().getOrDefault("sluice-epoch", "0"));
        if (epoch < newestEpoch[0] && !epochsFall) {
            staleRecords.merge(epoch, 1, Integer::sum);
            return true;
        }
        newestEpoch[0] = epoch;
        return false;
    }

    /** How many records of which owner were passed over, since a later owner had sent already. */
    Map<Long, Integer> staleRecords() {
        return Map.copyOf(staleRecords);
    }

    /** The ends of all servers' logs, for messages. */
    String logs() {
        return servers.stream().map(PackagedServer::logs).collect(Collectors.joining("\n\n"));
    }

    @Override
    public void close() {
        servers.forEach(PackagedServer::close);
    }
}
