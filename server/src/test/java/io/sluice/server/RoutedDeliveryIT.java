package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.Connector;
import io.sluice.testkit.broker.BrokerRecord;
import io.sluice.testkit.check.Change;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.FlatRecords;
import io.sluice.testkit.check.RawRecords;
import io.sluice.testkit.check.Row;
import io.sluice.testkit.check.ServerState;
import io.sluice.testkit.check.StateComparison;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.kafka.KafkaBroker;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows whose keys change, spread over partitions by their keys, in every form: what the topics hold leads to what the
 * tables hold. Two servers with four instances each read the same binlog, of changes that were made before.
 */
@Timeout(600)
class RoutedDeliveryIT {
    private static final Logger LOG = LoggerFactory.getLogger(RoutedDeliveryIT.class);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String SCHEMA = "moves";
    private static final String USER = "canal";
    private static final String PASSWORD = "carry them all";
    private static final long SEED = 11;

    private static final List<Path> HOMES = new ArrayList<>();
    private static final List<SluiceServer> SERVERS = new ArrayList<>();
    private static MySqlServer mysql;
    private static KafkaBroker kafka;
    private static MovingRows rows;

    @BeforeAll
    static void startAll() throws Exception {
        mysql = MySqlServer.start();
        mysql.createReplicationUser(USER, PASSWORD, AuthPlugin.CACHING_SHA2_PASSWORD);
        kafka = KafkaBroker.start();
        BinlogEnd start = mysql.rotateBinlog();
        rows = new MovingRows(SEED);
        rows.run(mysql, SCHEMA, 1000);
        LOG.info("seed={} changes={} moves={}", SEED, rows.changes(), rows.moves());
        for (String form : List.of("flat", "raw")) {
            startServer(form, start);
        }
    }

    private static void startServer(String form, BinlogEnd start) throws Exception {
        Path home = Folders.temporary("sluice-routed-");
        HOMES.add(home);
        List<String> names = new ArrayList<>();
        for (String keyChange : List.of("keep", "split")) {
            for (int partitions : new int[] {3, 16}) {
                String name = "%s_%s_%d".formatted(form, keyChange, partitions);
                names.add(name);
                kafka.createTopic(name, partitions);
                Map<String, String> instance = new LinkedHashMap<>();
                instance.put("canal.instance.master.address", mysql.host() + ":" + mysql.port());
                instance.put("canal.instance.dbUsername", USER);
                instance.put("canal.instance.dbPassword", PASSWORD);
                instance.put("canal.instance.master.journal.name", start.file());
                instance.put("canal.instance.master.position", Long.toString(start.offset()));
                instance.put("canal.instance.filter.regex", SCHEMA + "\\\\..*");
                instance.put("canal.instance.filter.query.ddl", "true");
                instance.put("canal.instance.filter.query.dcl", "true");
                instance.put("canal.instance.tsdb.enable", "false");
                instance.put("canal.mq.topic", name);
                instance.put("canal.mq.partitionHash", ".*\\\\..*:$pk$");
                instance.put("canal.mq.partitionsNum", Integer.toString(partitions));
                instance.put("canal.mq.keyChange", keyChange);
                instance.put("canal.mq.event.headers", "true");
                instance.put("canal.mq.messageKey", partitions == 16 ? "pk" : "none");
                write(home.resolve("conf").resolve(name).resolve("instance.properties"), instance);
            }
        }
        Map<String, String> server = new LinkedHashMap<>(kafka.settings());
        server.put("canal.destinations", String.join(",", names));
        server.put("canal.mq.flatMessage", Boolean.toString(form.equals("flat")));
        write(home.resolve("conf/canal.properties"), server);
        Connector connector =
                Connector.find("kafka", RoutedDeliveryIT.class.getClassLoader()).orElseThrow();
        SERVERS.add(new ServerFiles(home).start(connector));
    }

    private static void write(Path file, Map<String, String> settings) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(
                file,
                settings.entrySet().stream()
                        .map(next -> next.getKey() + " = " + next.getValue() + "\n")
                        .collect(Collectors.joining()));
    }

    @AfterAll
    static void stopAll() {
        SERVERS.forEach(server -> server.stop(Duration.ofSeconds(10)));
        kafka.close();
        mysql.close();
        HOMES.forEach(Folders::delete);
    }

    /** A change, and its position in the stream, where a message has that of its first row. */
    private record Placed(Change.OfRow change, BrokerRecord record, int number) {}

    /** Each key is in one partition, so the partitions may be read one after the other, in any order. */
    @ParameterizedTest
    @CsvSource({"flat, 3", "flat, 16", "raw, 3", "raw, 16"})
    void partitionsLeadToTheStateOneByOneWhereUpdatesOfKeysAreSplit(String form, int partitions) throws Exception {
        String topic = form + "_split_" + partitions;
        Map<Integer, List<Placed>> changes = read(topic, rows.changes() + rows.moves());

        List<Integer> order = new ArrayList<>(changes.keySet());
        assertThat(order).hasSize(partitions);
        Collections.reverse(order);
        StateModel model = new StateModel(Duplicates.FORBIDDEN);
        order.forEach(partition -> changes.get(partition).forEach(next -> model.apply(next.change())));

        requireState(model);
        requirePartitions(changes, partitions, false);
    }

    /** A row that moved has changes in two partitions; the stream's order is known from headers and positions. */
    @ParameterizedTest
    @CsvSource({"flat, 3", "flat, 16", "raw, 3", "raw, 16"})
    void messagesPutIntoTheStreamsOrderLeadToTheStateWhereUpdatesOfKeysAreKept(String form, int partitions)
            throws Exception {
        String topic = form + "_keep_" + partitions;
        Map<Integer, List<Placed>> changes = read(topic, rows.changes());

        List<Placed> all = new ArrayList<>();
        changes.values().forEach(all::addAll);
        // A packet has the place of its first row alone, but its entries have those of their events, and no row of this
        // workload is changed twice by one event.
        all.sort(Comparator.comparing((Placed next) -> offset(form, next)).thenComparing(Placed::number));
        StateModel model = new StateModel(Duplicates.FORBIDDEN);
        all.forEach(next -> model.apply(next.change()));

        requireState(model);
        requirePartitions(changes, partitions, true);
        requireOrderWithinPartitions(form, changes);
    }

    private static long offset(String form, Placed next) {
        String event = next.change().origin().event();
        return form.equals("flat")
                ? Long.parseLong(next.record().headers().get("sluice-offset"))
                : Long.parseLong(event.substring(event.lastIndexOf(':') + 1));
    }

    private static void requireState(StateModel model) throws Exception {
        try (Connection connection = mysql.connect()) {
            StateComparison.requireEqual(ServerState.of(connection, SCHEMA), model);
        }
    }

    /** By the definition of the rule: the hash of each row's key determines its partition. */
    private static void requirePartitions(Map<Integer, List<Placed>> changes, int partitions, boolean kept) {
        changes.forEach((partition, all) -> all.forEach(next -> {
            Change.OfRow change = next.change();
            Row row = change.after() == null ? change.before() : change.after();
            int hash = SCHEMA.hashCode();
            for (String value : row.values(change.key())) {
                hash ^= value.hashCode();
            }
            assertThat(Math.abs(hash % partitions)).as("%s", change).isEqualTo(partition);
            boolean isMove = change.before() != null
                    && change.after() != null
                    && !change.before()
                            .values(change.key())
                            .equals(change.after().values(change.key()));
            assertThat(kept || !isMove).as("%s", change).isTrue();
            if (next.record().key() != null) {
                List<String> key = row.values(change.key());
                String text = key.size() == 1 ? key.get(0) : "[\"" + String.join("\",\"", key) + "\"]";
                assertThat(new String(next.record().key(), StandardCharsets.UTF_8))
                        .isEqualTo(text);
            }
            assertThat(next.record().key() != null).isEqualTo(partitions == 16);
        }));
    }

    private static void requireOrderWithinPartitions(String form, Map<Integer, List<Placed>> changes) {
        changes.values()
                .forEach(all -> assertThat(
                                all.stream().map(next -> offset(form, next)).toList())
                        .isSorted());
    }

    /** Everything in a topic, by partition; no two messages have one id, nor any id but those of their rows. */
    private static Map<Integer, List<Placed>> read(String topic, int expected) {
        Map<Integer, List<Placed>> changes = new TreeMap<>();
        FlatRecords flat = new FlatRecords();
        RawRecords raw = new RawRecords();
        Set<String> ids = new HashSet<>();
        int[] count = new int[1];
        kafka.read(
                topic,
                record -> {
                    List<Change> read = topic.startsWith("flat")
                            ? flat.read(topic, record.partition(), record.offset(), record.value())
                            : raw.read(topic, record.partition(), record.offset(), record.value());
                    assertThat(ids.add(record.headers().get("sluice-id")))
                            .as("%s", record.headers())
                            .isTrue();
                    assertThat(record.headers().get("sluice-rows")).isEqualTo(Integer.toString(read.size()));
                    for (Change change : read) {
                        List<Placed> partition = changes.computeIfAbsent(record.partition(), name -> new ArrayList<>());
                        partition.add(new Placed((Change.OfRow) change, record, partition.size()));
                    }
                    count[0] += read.size();
                },
                () -> count[0] >= expected,
                PATIENCE);
        assertThat(count[0]).isEqualTo(expected);
        return changes;
    }
}
