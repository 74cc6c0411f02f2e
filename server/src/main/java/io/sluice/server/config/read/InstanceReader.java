package io.sluice.server.config.read;

import io.sluice.format.value.ValueOptions;
import io.sluice.server.config.instance.CursorConfig;
import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.instance.RestartPolicy;
import io.sluice.server.config.instance.RoutingConfig;
import io.sluice.server.config.instance.StoreConfig;
import io.sluice.server.config.key.ClusterKeys;
import io.sluice.server.config.key.FailureKeys;
import io.sluice.server.config.key.FilterKeys;
import io.sluice.server.config.key.MemoryKeys;
import io.sluice.server.config.key.SourceKeys;
import io.sluice.server.config.key.ValueKeys;
import io.sluice.server.config.server.ServerConfig;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Settings;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.PartialImagePolicy;
import io.sluice.stream.options.PartialImagePolicy.Reported;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.TransactionSpill;
import io.sluice.stream.options.XaHolding;
import io.sluice.stream.source.SourceOptions;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.ZoneId;

/** Reads what is set for one instance, and checks several keys together. */
final class InstanceReader {
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
     * @param server what is set for the server that it is an instance of
     * @param lazy whether it waits for its first client
     * @param usualRestart what happens after a failure where no key sets it
     * @param routing reads where entries go
     * @param stores opens key stores
     * @param delivery reads how entries are sent, and what happens to those that do not arrive
     */
    InstanceConfig read(
            ServerConfig server,
            CursorKind cursorKind,
            boolean lazy,
            RestartPolicy usualRestart,
            RoutingReader routing,
            KeyStoreCheck stores,
            DeliveryReader delivery) {
        boolean isQueue = server.mode().isQueue();
        HostReader hosts = new HostReader(settings, file, baseDirectory);
        SourceOptions source =
                new SourceReader(destination, settings, environment, baseDirectory, hosts, cursorKind, isQueue).read();
        RoutingConfig routes = routing.read();
        CursorConfig cursor = cursor(cursorKind);
        boolean areValuesNeeded =
                isQueue && (!server.mq().inPackets() || !routes.rules().isFixed());
        StoreConfig store = store(areValuesNeeded, isQueue);
        FilterReader filter = new FilterReader(settings);
        return new InstanceConfig(
                destination,
                source,
                filter.rules(),
                stream(filter, cursor.directory()),
                values(isQueue && server.mq().format().hasExactValues()),
                new SchemaReader(destination, settings, baseDirectory, cursor.directory()).read(stores),
                settings.get(MemoryKeys.PARALLEL),
                encoderThreads(),
                store,
                cursor,
                routes,
                delivery.sender(destination, store),
                delivery.failure(),
                settings.find(FailureKeys.RESTART).orElse(usualRestart),
                cursorKind != CursorKind.MEMORY && settings.get(FailureKeys.KEEP_PACE),
                lazy);
    }

    /** What happens after a failure where no key sets it. A server that ended could not be corrected from an admin server. */
    static RestartPolicy restart(boolean isManaged) {
        return isManaged ? RestartPolicy.BACKOFF : RestartPolicy.NEVER;
    }

    private StreamOptions stream(FilterReader filter, Path directory) {
        StreamOptions options = StreamOptions.DEFAULT
                .withAccumulatedOld(settings.get(ValueKeys.ACCUMULATE_OLD))
                .withMariaDbBegins(settings.get(ValueKeys.MARIADB_BEGINS))
                .withParsedStatements(settings.get(FilterKeys.PARSE_STATEMENTS))
                .with(settings.get(ValueKeys.PARTIAL_JSON))
                .with(new PartialImagePolicy(settings.get(ValueKeys.COMPLETE_IMAGES), Reported.NONE, false, ""))
                .without(filter.omitted());
        long spillMax = settings.get(ValueKeys.SPILL_MAX);
        if (spillMax > 0) {
            options = options.with(new TransactionSpill(
                    InstanceConfig.spillDirectory(directory), TransactionSpill.DEFAULT_MEMORY_BYTES, spillMax));
        }
        return settings.get(ValueKeys.XA).equals("committed")
                ? options.with(
                        new XaHolding(InstanceConfig.heldDirectory(directory), settings.get(ValueKeys.XA_MEMORY)))
                : options;
    }

    /** @param exactValues whether the format has decimals with all of their digits and binary values in JSON with all of their bytes, whatever is configured */
    private ValueOptions values(boolean exactValues) {
        return ValueOptions.in(settings.find(ValueKeys.TIME_ZONE).orElse(ZoneId.systemDefault()))
                .withExactDecimals(exactValues || settings.get(ValueKeys.EXACT_DECIMALS))
                .withExactBinary(settings.get(ValueKeys.EXACT_BINARY))
                .withExactJson(exactValues || settings.get(ValueKeys.EXACT_JSON))
                .withSteadySqlTypes(settings.get(ValueKeys.STEADY_SQL_TYPES))
                .withFallbackCharset(settings.get(SourceKeys.CHARSET));
    }

    private int encoderThreads() {
        return settings.get(MemoryKeys.PARALLEL)
                ? settings.find(MemoryKeys.PARSER_THREADS).orElse(Math.max(1, environment.processors() * 60 / 100))
                : 1;
    }

    /** Flat messages and partitions are made of values, so the store keeps those, and not finished bytes. */
    private StoreConfig store(boolean areValuesNeeded, boolean isQueue) {
        return new StoreConfig(
                ring(isQueue),
                settings.get(MemoryKeys.BATCH_MODE),
                !areValuesNeeded && settings.get(MemoryKeys.RAW_ENTRY));
    }

    /** What an operator sets is a limit of all that is held, as in canal; otherwise what is on its way to a queue may be more. */
    private RingConfig ring(boolean isQueue) {
        boolean isolation = settings.get(MemoryKeys.DDL_ISOLATION);
        int slots = settings.get(MemoryKeys.STORE_SLOTS);
        int slotBytes = settings.get(MemoryKeys.STORE_SLOT_BYTES);
        boolean isSet = !settings.isBlank(MemoryKeys.STORE_SLOTS) || !settings.isBlank(MemoryKeys.STORE_SLOT_BYTES);
        return isSet || !isQueue ? new RingConfig(slots, slotBytes, isolation) : RingConfig.growing(isolation);
    }

    private CursorConfig cursor(CursorKind kind) {
        return new CursorConfig(
                kind,
                dataDirectory(),
                settings.get(kind == CursorKind.ZOOKEEPER ? ClusterKeys.FLUSH_PERIOD : MemoryKeys.FLUSH_PERIOD));
    }

    private Path dataDirectory() {
        try {
            return baseDirectory
                    .resolve(settings.get(MemoryKeys.DATA_DIR))
                    .resolve(destination)
                    .normalize();
        } catch (InvalidPathException e) {
            settings.complain(MemoryKeys.DATA_DIR, "must be the path of a directory");
            return baseDirectory;
        }
    }
}
