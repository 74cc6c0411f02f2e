package io.sluice.server.config;

import io.sluice.parse.gtid.SeenTransactions;
import io.sluice.parse.history.HistoryPlace;
import io.sluice.server.config.TlsConfig.KeyStoreFile;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Reads what is set for one instance, and checks what several keys say together. */
final class InstanceReader {
    /** Where the first event of every binlog starts. */
    private static final long FIRST_EVENT = 4;

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
     * Reads it. Where something is wrong the result holds a stand-in, and must not be used.
     *
     * @param queue whether entries are sent to a queue; else clients pull them
     * @param flat whether a queue gets rows as flat messages
     */
    InstanceConfig read(CursorKind cursorKind, boolean queue, boolean flat) {
        return new InstanceConfig(
                destination,
                source(),
                start(),
                settings.get(Keys.RESET_TO_NEWEST),
                new FilterReader(settings).read(),
                parser(),
                schema(),
                store(queue && flat),
                new CursorConfig(cursorKind, dataDirectory(), settings.get(Keys.FLUSH_PERIOD)),
                routing(queue),
                new ProbeConfig(
                        settings.get(Keys.PROBE),
                        settings.get(Keys.PROBE_SQL),
                        settings.get(Keys.PROBE_INTERVAL),
                        settings.get(Keys.PROBE_RETRIES)));
    }

    private SourceConfig source() {
        if (settings.isBlank(Keys.ADDRESS)) {
            settings.complain(file, Keys.ADDRESS, "is required: the host:port of the MySQL server");
        }
        long replicaId = settings.get(Keys.REPLICA_ID);
        return new SourceConfig(
                settings.find(Keys.ADDRESS).orElse(new HostPort("unset", 1)),
                settings.find(Keys.STANDBY),
                settings.get(Keys.USERNAME),
                settings.get(Keys.PASSWORD),
                settings.get(Keys.DATABASE),
                settings.get(Keys.CHARSET),
                replicaId > 0 ? replicaId : generatedReplicaId(),
                tls(),
                settings.get(Keys.BINLOG_FORMATS),
                settings.get(Keys.BINLOG_IMAGES),
                settings.get(Keys.GTID));
    }

    /** Seven bits of the name, and the last three bytes of our address, so that replicas on two machines differ. */
    private long generatedReplicaId() {
        byte[] address = environment.address().getAddress();
        return ((long) (destination.hashCode() & 0x7f) << 24)
                + ((address[1] & 0xff) << 16)
                + ((address[2] & 0xff) << 8)
                + (address[3] & 0xff);
    }

    private TlsConfig tls() {
        return new TlsConfig(
                settings.get(Keys.TLS_MODE),
                settings.get(Keys.TLS_VERSIONS),
                keyStore(Keys.TRUST_TYPE, Keys.TRUST_URL, Keys.TRUST_PASSWORD),
                keyStore(Keys.CLIENT_TYPE, Keys.CLIENT_URL, Keys.CLIENT_PASSWORD));
    }

    /** A store that has a URL is used; without a type it is taken for one of the JVM's two own kinds. */
    private Optional<KeyStoreFile> keyStore(Key<String> type, Key<String> url, Key<Secret> password) {
        return settings.find(url)
                .map(text -> new KeyStoreFile(settings.find(type).orElse("JKS"), text, settings.get(password)));
    }

    private StartPosition start() {
        Optional<String> gtid = settings.get(Keys.GTID) ? settings.find(Keys.START_GTID) : Optional.empty();
        Optional<String> journal = settings.find(Keys.START_FILE);
        Optional<Long> offset = settings.find(Keys.START_OFFSET).filter(value -> value > 0);
        Optional<Long> time = settings.find(Keys.START_TIME).filter(value -> value > 0);
        if (journal.isPresent() && (offset.isPresent() || time.isEmpty())) {
            gtid.ifPresent(this::checkGtidSet);
            return new StartPosition.At(journal.get(), offset.orElse(FIRST_EVENT), gtid);
        }
        if (time.isPresent()) {
            return new StartPosition.Since(journal, Instant.ofEpochMilli(time.get()));
        }
        if (offset.isPresent()) {
            settings.complain(
                    Keys.START_OFFSET, "says nothing without " + Keys.START_FILE.name() + ", the file it is in");
        }
        if (gtid.isPresent()) {
            settings.complain(
                    Keys.START_GTID,
                    "needs " + Keys.START_FILE.name() + " and " + Keys.START_OFFSET.name()
                            + " of the same place: this version asks for the binlog by file and offset only");
        }
        return new StartPosition.Newest();
    }

    private void checkGtidSet(String gtidSet) {
        try {
            SeenTransactions.parse(gtidSet);
        } catch (IllegalArgumentException e) {
            settings.complain(Keys.START_GTID, String.valueOf(e.getMessage()));
        }
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
                settings.get(Keys.MARIADB_BEGINS));
    }

    private SchemaConfig schema() {
        Optional<HistoryPlace> history = settings.get(Keys.HISTORY) ? Optional.of(historyPlace()) : Optional.empty();
        return new SchemaConfig(
                history,
                settings.get(Keys.HISTORY_USER),
                settings.get(Keys.HISTORY_PASSWORD),
                Duration.ofHours(Math.max(0, settings.get(Keys.SNAPSHOT_HOURS))),
                Duration.ofHours(Math.max(0, settings.get(Keys.EXPIRE_HOURS))));
    }

    /** A file beside the cursor's unless the operator says something else. */
    private HistoryPlace historyPlace() {
        try {
            return HistoryPlace.parse(
                    settings.find(Keys.HISTORY_URL)
                            .orElse("jdbc:h2:" + dataDirectory().resolve("h2")),
                    baseDirectory);
        } catch (IllegalArgumentException e) {
            settings.complain(Keys.HISTORY_URL, String.valueOf(e.getMessage()));
            return new HistoryPlace.H2File(baseDirectory, "");
        }
    }

    private StoreConfig store(boolean flat) {
        return new StoreConfig(
                settings.get(Keys.STORE_SLOTS),
                settings.get(Keys.STORE_SLOT_BYTES),
                settings.get(Keys.BATCH_MODE),
                !flat && settings.get(Keys.RAW_ENTRY),
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

    private RoutingConfig routing(boolean queue) {
        if (queue && settings.isBlank(Keys.TOPIC)) {
            settings.complain(file, Keys.TOPIC, "is required: the topic that the changes go to");
        }
        return new RoutingConfig(
                settings.get(Keys.TOPIC), settings.get(Keys.PARTITION), settings.get(Keys.ACCUMULATE_OLD));
    }
}
