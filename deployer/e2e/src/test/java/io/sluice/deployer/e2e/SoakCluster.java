package io.sluice.deployer.e2e;

import io.sluice.testkit.kafka.KafkaBroker;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ReplicationPair;
import io.sluice.testkit.mysql.ServerRelease;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.proxy.Gate;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two packaged servers for one instance, and all that they talk to, by way of gates. For one thread. */
final class SoakCluster implements AutoCloseable {
    static final String INSTANCE = "soak";
    static final int PARTITIONS = 4;
    static final String ADMIN_PASSWORD = "admin";

    private static final Logger LOG = LoggerFactory.getLogger(SoakCluster.class);

    /** Of {@link #ADMIN_PASSWORD}, as the configuration has it. */
    private static final String ADMIN_DIGEST = "4ACFE3202A5FF5CF467898FC58AAB1D615029441";

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Map<String, Member> members = new TreeMap<>();
    private final Map<Member, ControlApi> apis = new LinkedHashMap<>();
    private final Map<Member, Integer> adminPorts = new LinkedHashMap<>();
    private final MySqlServer first;
    private @Nullable ReplicationPair pair;
    final MySqlServer histories;
    final KafkaBroker kafka;
    final ZooKeeperNode zooKeeper;
    final Gate toSource;
    private @Nullable Gate toStandby;

    /** While it is held, nothing is written. */
    Lock writing = new ReentrantLock();

    final Owner owner;

    /** What differs from one soak to the next. */
    record Kind(
            ServerRelease release,
            boolean gtids,
            boolean metadata,
            Pipeline.Mode mode,
            boolean transactions,
            boolean ddlEverywhere,
            boolean split,
            boolean noBlob,
            boolean topics,
            Replica replica,
            boolean compressed,
            boolean smallEvents,
            boolean keys,
            String xaMemory,
            boolean minimal) {
        /** Whether the source has a replica that takes its place now and then, and how the servers get there. */
        enum Replica {
            NONE,
            SAME_ADDRESS,
            STANDBY
        }

        static Kind of(long seed) {
            int n = (int) (seed % 12);
            Random random = new Random(seed * 31);
            random.nextInt();
            Pipeline.Mode mode = n % 4 == 3 ? Pipeline.Mode.RAW : Pipeline.Mode.FLAT;
            boolean isMariaDb = n % 3 == 2;
            ServerRelease mysql = random.nextInt(3) == 0 ? ServerRelease.MYSQL_9_7 : ServerRelease.MYSQL_8_0_31;
            ServerRelease mariaDb = random.nextInt(3) == 0 ? ServerRelease.MARIADB_10_11 : ServerRelease.MARIADB_11_8;
            boolean leavesOutBlobs = random.nextInt(4) == 0;
            boolean splits = random.nextBoolean();
            boolean topics = random.nextInt(3) == 0;
            int replica = random.nextInt(4);
            Replica place = isMariaDb || mode == Pipeline.Mode.RAW || replica > 2
                    ? Replica.NONE
                    : replica == 0 ? Replica.SAME_ADDRESS : Replica.STANDBY;
            boolean compressed = random.nextInt(3) == 0;
            boolean smallEvents = random.nextInt(3) == 0;
            boolean keys = random.nextBoolean();
            String xaMemory = List.of("0", "30000", "8388608").get(random.nextInt(3));
            boolean minimal = mode == Pipeline.Mode.FLAT
                    && place == Replica.NONE
                    && !leavesOutBlobs
                    && !topics
                    && random.nextInt(3) == 0;
            return new Kind(
                    isMariaDb ? mariaDb : mysql,
                    n % 3 == 0 || n % 6 == 5,
                    n % 5 == 4,
                    mode,
                    n % 4 == 1,
                    n % 2 == 1,
                    splits && !leavesOutBlobs && !minimal,
                    leavesOutBlobs,
                    topics,
                    place,
                    compressed,
                    smallEvents,
                    keys,
                    xaMemory,
                    minimal);
        }

        /** Where changes come. */
        List<String> topicNames() {
            return topics ? SoakTables.SCHEMAS : List.of(INSTANCE);
        }

        MySqlOptions source() {
            MySqlOptions options = MySqlOptions.defaults()
                    .release(release)
                    .with("sync-binlog", "1")
                    .with("innodb-flush-log-at-trx-commit", "1")
                    .with("max-binlog-size", "4M");
            if (metadata) {
                options = options.rowMetadata("FULL");
            }
            if (compressed) {
                options = options.compressedTransactions();
            }
            if (smallEvents) {
                options = options.with("binlog-row-event-max-size", "512")
                        .with(release.isMariaDb() ? "binlog-annotate-row-events" : "binlog-rows-query-log-events", "ON")
                        .with("binlog-checksum", "NONE");
            }
            return gtids && !release.isMariaDb() ? options.gtid() : options;
        }
    }

    /** Starts all but the servers themselves. */
    SoakCluster(Kind kind) {
        try {
            if (kind.replica() == Kind.Replica.NONE) {
                first = open(() -> MySqlServer.start(kind.source()));
            } else {
                ReplicationPair started = open(() -> ReplicationPair.start(kind.source()));
                first = started.source();
                pair = started;
            }
            Pipeline.allow(first);
            histories = open(TakeOverIT::startHistories);
            kafka = open(KafkaBroker::start);
            kafka.createTopic(INSTANCE, PARTITIONS);
            if (kind.topics()) {
                SoakTables.SCHEMAS.forEach(topic -> kafka.createTopic(topic, PARTITIONS));
            }
            zooKeeper = open(ZooKeeperNode::start);
            toSource = open(
                    () -> new Gate(() -> kind.replica() == Kind.Replica.SAME_ADDRESS ? source().port() : first.port()));
            if (pair != null) {
                MySqlServer other = pair.replica();
                toStandby = open(() -> new Gate(other::port));
            }
            owner = new Owner(zooKeeper, INSTANCE);
            BinlogEnd start = first.rotateBinlog();
            for (int i = 0; i < 2; i++) {
                addMember(kind, start);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private <T extends AutoCloseable> T open(Supplier<T> start) {
        T started = start.get();
        opened.push(started);
        return started;
    }

    private void addMember(Kind kind, BinlogEnd start) {
        Gate toZooKeeper = open(() -> new Gate(zooKeeper::port));
        int port = FreePorts.next();
        int controlPort = FreePorts.next();
        int adminPort = FreePorts.next();
        Map<String, String> settings =
                new LinkedHashMap<>(TakeOverIT.cluster("127.0.0.1:" + toZooKeeper.port(), histories));
        settings.putAll(kafka.settings());
        settings.put("canal.port", Integer.toString(port));
        settings.put("canal.control.port", Integer.toString(controlPort));
        settings.put("canal.admin.port", Integer.toString(adminPort));
        settings.put("canal.admin.ip", "127.0.0.1");
        settings.put("canal.admin.user", "admin");
        settings.put("canal.admin.passwd", ADMIN_DIGEST);
        settings.put("canal.mq.flatMessage", Boolean.toString(kind.mode() == Pipeline.Mode.FLAT));
        settings.put("canal.mq.database.hash", "false"); // so that a row stays in its partition when its table moves
        settings.put("canal.instance.memory.buffer.size", "512");
        settings.put("canal.instance.position.gtid", kind.gtids() ? "auto" : "off");
        settings.put("canal.mq.ddl.partition", kind.ddlEverywhere() ? "all" : "first");
        settings.put("canal.instance.xa", "committed");
        settings.put("canal.instance.xa.memory", kind.xaMemory());
        if (kind.transactions()) {
            settings.put("kafka.transactional.id", INSTANCE);
        }
        Map<String, String> instance = new LinkedHashMap<>();
        instance.put("canal.instance.master.address", "127.0.0.1:" + toSource.port());
        instance.put("canal.instance.dbUsername", Pipeline.USER);
        instance.put("canal.instance.dbPassword", Pipeline.PASSWORD);
        instance.put("canal.instance.master.journal.name", start.file());
        instance.put("canal.instance.master.position", Long.toString(start.offset()));
        instance.put("canal.instance.filter.regex", "soak_.*\\\\..*");
        instance.put("canal.mq.topic", INSTANCE);
        instance.put("canal.mq.partitionsNum", Integer.toString(PARTITIONS));
        instance.put("canal.mq.partitionHash", ".*\\\\..*:$pk$");
        instance.put("canal.mq.messageKey", kind.keys() ? "pk" : "none");
        instance.put("canal.mq.keyChange", kind.split() ? "split" : "keep");
        instance.put("canal.instance.value.image.complete", Boolean.toString(kind.noBlob() || kind.minimal()));
        if (kind.topics()) {
            instance.put(
                    "canal.mq.dynamicTopic",
                    SoakTables.SCHEMAS.stream()
                            .map(schema -> schema + ":" + schema + "\\\\..*")
                            .collect(Collectors.joining(",")));
        }
        if (kind.replica() != Kind.Replica.NONE) {
            instance.put("canal.instance.fallbackIntervalInSeconds", "10"); // held transactions are older than that
        }
        if (kind.minimal()) {
            settings.put("canal.mq.event.headers", "true");
        }
        if (toStandby != null && kind.replica() == Kind.Replica.STANDBY) {
            instance.put("canal.instance.standby.address", "127.0.0.1:" + toStandby.port());
        }
        PackagedServer server = open(() -> new PackagedServer(INSTANCE, settings, instance));
        Member member = new Member(server, toZooKeeper, toZooKeeper);
        members.put("127.0.0.1:" + port, member);
        adminPorts.put(member, adminPort);
        server.ask("token", "add", "ops", "--role", "administrator", "--save");
        try {
            apis.put(member, ControlApi.of(server, controlPort));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The server that is written now. */
    MySqlServer source() {
        ReplicationPair current = pair;
        return current == null ? first : current.source();
    }

    boolean isPaired() {
        return pair != null;
    }

    /**
     * Stops the source, makes its replica the source, and the former source the replica.
     *
     * @param pause how long the former one is down
     */
    void switchSource(Runnable pause) {
        ReplicationPair before = Objects.requireNonNull(pair);
        writing.lock();
        try {
            before.awaitReplica();
            before.promote();
            before.source().kill();
            pair = new ReplicationPair(/* source= */ before.replica(), /* replica= */ before.source());
        } finally {
            writing.unlock();
        }
        pause.run();
        before.source().restart();
        Objects.requireNonNull(pair).follow();
    }

    Collection<Member> members() {
        return members.values();
    }

    ControlApi api(Member member) {
        return Objects.requireNonNull(apis.get(member));
    }

    int adminPort(Member member) {
        return Objects.requireNonNull(adminPorts.get(member));
    }

    /** The member that runs the instance, once there is one. */
    Member active() {
        return Objects.requireNonNull(members.get(owner.awaitAddress(PATIENCE)));
    }

    /** The one that does not. */
    Member other() {
        Member active = active();
        return members.values().stream()
                .filter(member -> !member.equals(active))
                .findFirst()
                .orElseThrow();
    }

    /** What both servers have logged last. */
    String logs() {
        StringBuilder logs = new StringBuilder();
        members.forEach((address, member) -> logs.append(address)
                .append(":\n")
                .append(member.server().logs())
                .append("\n\n"));
        return logs.toString();
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                LOG.warn("closing failed", e);
            }
        }
    }
}
