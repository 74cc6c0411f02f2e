package io.sluice.server.config;

import io.sluice.mysql.wire.ServerPublicKey;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.HistoryLocation;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;

/** Reads what is set for one instance, and checks what several keys say together. */
final class InstanceReader {
    private static final Duration MAX_HEARTBEAT = Duration.ofSeconds(15);

    private final String destination;
    private final Settings settings;
    private final Environment environment;
    private final Path baseDirectory;
    private final Origin file;

    InstanceReader(String destination, Settings settings, Environment environment, Path baseDirectory, Origin file) {
        this.destination = destination;
        this.settings = settings;
        this.environment = environment;
        this.baseDirectory = baseDirectory;
        this.file = file;
    }

    /**
     * Reads it. Where something is wrong the result holds a substitute, and must not be used.
     *
     * @param lazy whether it waits for its first client
     * @param queue whether entries are sent to a queue; else clients pull them
     * @param flat whether a queue gets rows as flat messages
     * @param routing reads where they go
     * @param failures reads what happens to those that do not arrive
     */
    InstanceConfig read(
            CursorKind cursorKind,
            boolean lazy,
            boolean queue,
            boolean flat,
            RoutingReader routing,
            FailureReader failures) {
        SourceConfig source = source();
        RoutingConfig routes = routing.read();
        return new InstanceConfig(
                destination,
                source,
                settings.get(Keys.RESET_TO_NEWEST),
                new FilterReader(settings).read(),
                parser(),
                schema(),
                store(queue && (flat || !routes.rules().isFixed())),
                new CursorConfig(
                        cursorKind,
                        dataDirectory(),
                        settings.get(
                                cursorKind == CursorKind.ZOOKEEPER ? Keys.ZOOKEEPER_FLUSH_PERIOD : Keys.FLUSH_PERIOD)),
                routes,
                failures.read(),
                lazy,
                new ProbeConfig(
                        settings.get(Keys.PROBE),
                        settings.get(Keys.PROBE_SQL),
                        settings.get(Keys.PROBE_INTERVAL),
                        settings.get(Keys.PROBE_RETRIES),
                        settings.get(Keys.PROBE_SWITCHES)));
    }

    private SourceConfig source() {
        long replicaId = settings.get(Keys.REPLICA_ID);
        return new SourceConfig(
                new HostReader(settings, file, baseDirectory).read(),
                settings.get(Keys.USERNAME),
                settings.get(Keys.PASSWORD),
                settings.get(Keys.DATABASE),
                settings.get(Keys.CHARSET),
                replicaId > 0 ? replicaId : generatedReplicaId(),
                settings.get(Keys.BINLOG_FORMATS),
                settings.get(Keys.BINLOG_IMAGES),
                new PositionConfig(
                        settings.get(Keys.GTID),
                        settings.get(Keys.POSITION_GTIDS).equals("auto"),
                        settings.get(Keys.FALLBACK)),
                liveness());
    }

    private LivenessConfig liveness() {
        Duration silence = settings.get(Keys.SILENCE);
        Duration standard = silence.isZero() || silence.dividedBy(2).compareTo(MAX_HEARTBEAT) > 0
                ? MAX_HEARTBEAT
                : silence.dividedBy(2);
        Duration heartbeat = settings.find(Keys.HEARTBEAT).orElse(standard);
        if (!silence.isZero() && heartbeat.compareTo(silence) >= 0) {
            settings.complain(
                    Keys.HEARTBEAT, "must be shorter than %s (%d)".formatted(Keys.SILENCE.name(), silence.toSeconds()));
        }
        return new LivenessConfig(silence, heartbeat);
    }

    /** Seven bits of the name, and the last three bytes of our address, so that replicas on two machines differ. */
    private long generatedReplicaId() {
        byte[] address = environment.address().getAddress();
        return ((long) (destination.hashCode() & 0x7f) << 24)
                + ((address[1] & 0xff) << 16)
                + ((address[2] & 0xff) << 8)
                + (address[3] & 0xff);
    }

    private ParserConfig parser() {
        int threads = settings.get(Keys.PARALLEL)
                ? settings.find(Keys.PARSER_THREADS).orElse(Math.max(1, environment.processors() * 60 / 100))
                : 1;
        int transactionSize = settings.get(Keys.TRANSACTION_SIZE);
        if (transactionSize > settings.get(Keys.STORE_SLOTS)) {
            Key<?> key = settings.isBlank(Keys.TRANSACTION_SIZE) ? Keys.STORE_SLOTS : Keys.TRANSACTION_SIZE;
            settings.complain(
                    key,
                    "%s (%d) must not be above %s (%d)"
                            .formatted(
                                    Keys.TRANSACTION_SIZE.name(),
                                    transactionSize,
                                    Keys.STORE_SLOTS.name(),
                                    settings.get(Keys.STORE_SLOTS)));
        }
        return new ParserConfig(
                threads,
                settings.get(Keys.PARSER_BUFFER),
                transactionSize,
                settings.get(Keys.EXACT_DECIMALS),
                settings.get(Keys.EXACT_BINARY),
                settings.get(Keys.COMPLETE_IMAGES),
                settings.find(Keys.TIME_ZONE).orElse(ZoneId.systemDefault()),
                settings.get(Keys.MARIADB_BEGINS),
                settings.get(Keys.STEADY_SQL_TYPES),
                settings.get(Keys.PARTIAL_JSON),
                new XaConfig(settings.get(Keys.XA), settings.get(Keys.XA_MEMORY)));
    }

    private SchemaConfig schema() {
        Optional<HistoryLocation> history =
                settings.get(Keys.HISTORY) ? Optional.of(historyLocation()) : Optional.empty();
        return new SchemaConfig(
                history,
                settings.get(Keys.HISTORY_USER),
                settings.get(Keys.HISTORY_PASSWORD),
                Duration.ofHours(Math.max(0, settings.get(Keys.SNAPSHOT_HOURS))),
                Duration.ofHours(Math.max(0, settings.get(Keys.EXPIRE_HOURS))),
                settings.get(Keys.ON_MISMATCH).equals("skip"),
                reload());
    }

    private String reload() {
        String tables = settings.get(Keys.RELOAD);
        try {
            TableFilter.problemOf(tables).ifPresent(problem -> settings.complain(Keys.RELOAD, problem));
        } catch (IllegalArgumentException e) {
            settings.complain(Keys.RELOAD, String.valueOf(e.getMessage()));
        }
        return tables;
    }

    /** A file beside the cursor's unless the operator says something else. */
    private HistoryLocation historyLocation() {
        try {
            HistoryLocation location = HistoryLocation.parse(
                    settings.find(Keys.HISTORY_URL)
                            .orElse("jdbc:h2:" + dataDirectory().resolve("h2")),
                    baseDirectory);
            Path serverKey = location instanceof HistoryLocation.MySql mysql
                    ? mysql.passwords().serverPublicKey()
                    : null;
            if (serverKey != null) {
                ServerPublicKey.check(serverKey);
            }
            return location;
        } catch (IllegalArgumentException | IOException e) {
            settings.complain(Keys.HISTORY_URL, String.valueOf(e.getMessage()));
            return HistoryLocation.parse("jdbc:h2:h2", baseDirectory); // not used: there is a problem
        }
    }

    /**
     * Flat messages and partitions are made of values, so the store keeps those, and not finished bytes.
     *
     * @param ofValues whether values are needed
     */
    private StoreConfig store(boolean ofValues) {
        return new StoreConfig(
                settings.get(Keys.STORE_SLOTS),
                settings.get(Keys.STORE_SLOT_BYTES),
                settings.get(Keys.BATCH_MODE),
                !ofValues && settings.get(Keys.RAW_ENTRY),
                settings.get(Keys.DDL_ISOLATION));
    }

    private Path dataDirectory() {
        try {
            return baseDirectory
                    .resolve(settings.get(Keys.DATA_DIR))
                    .resolve(destination)
                    .normalize();
        } catch (InvalidPathException e) {
            settings.complain(Keys.DATA_DIR, "must be the path of a directory");
            return baseDirectory;
        }
    }
}
