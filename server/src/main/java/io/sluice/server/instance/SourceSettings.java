package io.sluice.server.instance;

import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.TlsMode;
import io.sluice.mysql.wire.TlsOptions;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.time.Time;
import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.server.config.FilterConfig;
import io.sluice.server.config.HostConfig;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.PositionConfig;
import io.sluice.server.config.ProbeConfig;
import io.sluice.server.config.SchemaConfig;
import io.sluice.server.config.SourceConfig;
import io.sluice.server.config.TlsConfig;
import io.sluice.server.config.XaConfig;
import io.sluice.stream.pipeline.LargeEventPolicy;
import io.sluice.stream.pipeline.Omitted;
import io.sluice.stream.pipeline.StreamOptions;
import io.sluice.stream.pipeline.XaHolding;
import io.sluice.stream.source.PositionOptions;
import io.sluice.stream.source.ProbeOptions;
import io.sluice.stream.source.SchemaOptions;
import io.sluice.stream.source.SourceHost;
import io.sluice.stream.source.SourceOptions;
import io.sluice.stream.source.SourceStream;
import io.sluice.stream.source.StartPosition;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns what an operator configured into what the parser is made with. */
public final class SourceSettings {
    /** MySQL's names of the character sets that an operator may name in Java's words. */
    private static final Map<Charset, String> CHARSETS = Map.of(
            StandardCharsets.UTF_8,
            "utf8mb4",
            StandardCharsets.ISO_8859_1,
            "latin1",
            StandardCharsets.US_ASCII,
            "ascii",
            Charset.forName("GBK"),
            "gbk",
            Charset.forName("GB18030"),
            "gb18030",
            Charset.forName("Big5"),
            "big5");

    private SourceSettings() {}

    static SourceOptions source(InstanceConfig config) {
        SourceConfig source = config.source();
        PositionConfig positions = source.positions();
        return new SourceOptions(
                source.hosts().stream().map(host -> host(source, host)).toList(),
                source.replicaId(),
                new PositionOptions(
                        positions.showsGtids(), positions.keepsGtids(), config.resetToNewest(), positions.fallback()),
                upper(source.binlogFormats()),
                upper(source.binlogImages()),
                source.liveness().heartbeat(),
                config.probe().retries(),
                probe(config.probe()));
    }

    private static SourceHost host(SourceConfig source, HostConfig host) {
        ConnectOptions login = login(source, host);
        return new SourceHost(
                login.withTimeouts(login.connectTimeout(), source.liveness().silence()), start(host.start()));
    }

    private static @Nullable ProbeOptions probe(ProbeConfig probe) {
        return probe.enabled() && !probe.sql().isBlank()
                ? new ProbeOptions(probe.sql(), probe.interval(), probe.retries(), probe.switchesHost())
                : null;
    }

    /** How to connect to one of a source's hosts. */
    public static ConnectOptions login(SourceConfig source, HostConfig host) {
        return ConnectOptions.of(
                        new ServerAddress(host.address().host(), host.address().port()),
                        source.username(),
                        source.password().value())
                .withDatabase(source.database())
                .withTls(tls(host.tls()))
                .withPasswords(host.passwords());
    }

    private static List<String> upper(List<String> values) {
        return values.stream().map(value -> value.toUpperCase(Locale.ROOT)).toList();
    }

    /**
     * What an instance's stream is made with.
     *
     * @param flat whether rows leave as flat messages
     * @param tableBytes how much memory may be taken by what is remembered of tables
     * @param xa how rows of XA transactions are held back; null if they are not
     */
    static SourceStream stream(
            InstanceConfig config, boolean flat, LargeEventPolicy large, long tableBytes, @Nullable XaHolding xa) {
        FilterConfig filter = config.filter();
        StreamOptions options = StreamOptions.DEFAULT
                .withAccumulatedOld(config.routing().accumulateOld())
                .withMariaDbBegins(config.parser().mariaDbBegins())
                .withParsedStatements(filter.parseStatements())
                .with(config.parser().partialJson())
                .without(omitted(config))
                .with(large)
                .with(new PartialImageRules(config, flat).images())
                .with(xa);
        String charset = CHARSETS.getOrDefault(config.source().charset(), "utf8mb4");
        return new SourceStream(
                options,
                filter.tables(),
                new ColumnTypes(config.parser().timeZone(), config.parser().exactDecimals(), charset)
                        .withSteadySqlTypes(config.parser().steadySqlTypes())
                        .withExactBinary(config.parser().exactBinary()),
                filter.dropTransactionEntries(),
                schema(config),
                tableBytes);
    }

    private static Set<Omitted> omitted(InstanceConfig config) {
        FilterConfig filter = config.filter();
        Set<Omitted> omitted = EnumSet.noneOf(Omitted.class);
        add(omitted, Omitted.QUERY_STATEMENTS, filter.dropDcl());
        add(omitted, Omitted.DML_STATEMENTS, filter.dropDml());
        add(omitted, filter.dropDdlOnly() ? Omitted.DDL_STATEMENTS : Omitted.ALL_STATEMENTS, filter.dropDdl());
        add(omitted, Omitted.OTHER_STATEMENTS, filter.dropOther());
        add(omitted, Omitted.ROWS, filter.dropRows());
        add(omitted, Omitted.INSERTS, filter.dropInserts());
        add(omitted, Omitted.UPDATES, filter.dropUpdates());
        add(omitted, Omitted.DELETES, filter.dropDeletes());
        add(
                omitted,
                Omitted.MISMATCHED_ROWS,
                filter.skipTableErrors() || config.schema().skipsMismatches());
        return omitted;
    }

    private static void add(Set<Omitted> omitted, Omitted kind, boolean isSet) {
        if (isSet) {
            omitted.add(kind);
        }
    }

    /**
     * How rows of XA transactions are held back; null if they are delivered where they are prepared.
     *
     * @param instances how many instances share the heap
     */
    static @Nullable XaHolding xa(InstanceConfig config, int instances, Time time) {
        XaConfig xa = config.parser().xa();
        return xa.holdsBack()
                ? new XaHolding(
                        xaDirectory(config), HeapShares.ofThisProcess().heldOf(xa.memoryBytes(), instances), time)
                : null;
    }

    /** Where files with rows of XA transactions are that are held back. */
    static Path xaDirectory(InstanceConfig config) {
        return config.cursor().directory().resolve("xa");
    }

    private static SchemaOptions schema(InstanceConfig config) {
        SchemaConfig schema = config.schema();
        return new SchemaOptions(
                schema.history()
                        .map(place -> new HistoryConfig(
                                config.destination(),
                                place,
                                schema.username(),
                                schema.password().value(),
                                schema.snapshotInterval(),
                                schema.expire()))
                        .orElse(null),
                schema.reload().isBlank() ? null : new TableFilter(schema.reload(), ""));
    }

    private static StartPosition start(io.sluice.server.config.StartPosition start) {
        if (start instanceof io.sluice.server.config.StartPosition.At at) {
            return new StartPosition.At(
                    new BinlogPosition(at.file(), at.offset()), at.gtidSet().orElse(null));
        }
        if (start instanceof io.sluice.server.config.StartPosition.After behind) {
            return new StartPosition.After(behind.gtidSet());
        }
        if (start instanceof io.sluice.server.config.StartPosition.Since since) {
            return new StartPosition.Since(since.file().orElse(null), since.time());
        }
        return start instanceof io.sluice.server.config.StartPosition.Earliest
                ? new StartPosition.Earliest()
                : new StartPosition.Newest();
    }

    private static TlsOptions tls(TlsConfig tls) {
        return new TlsOptions(
                TlsMode.valueOf(tls.mode().name()), tls.versions(), keyStore(tls.trust()), keyStore(tls.client()));
    }

    private static @Nullable KeyStoreFile keyStore(Optional<TlsConfig.KeyStoreFile> file) {
        return file.map(store -> new KeyStoreFile(
                        store.type(), store.url(), store.password().value()))
                .orElse(null);
    }
}
