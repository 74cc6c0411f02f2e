package io.sluice.server.instance;

import io.sluice.parse.history.HistoryConfig;
import io.sluice.parse.pipeline.StreamOptions;
import io.sluice.parse.pipeline.StreamPoint;
import io.sluice.parse.source.BinlogSource;
import io.sluice.parse.source.SchemaOptions;
import io.sluice.parse.source.SourceOptions;
import io.sluice.parse.value.ColumnTypes;
import io.sluice.parse.wire.ConnectOptions;
import io.sluice.parse.wire.KeyStoreFile;
import io.sluice.parse.wire.ServerAddress;
import io.sluice.parse.wire.TlsMode;
import io.sluice.parse.wire.TlsOptions;
import io.sluice.server.config.FilterConfig;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.SchemaConfig;
import io.sluice.server.config.SourceConfig;
import io.sluice.server.config.StartPosition;
import io.sluice.server.config.TlsConfig;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns what an operator configured into what the parser is made with. */
final class SourceSettings {
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

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
        ConnectOptions login = ConnectOptions.of(
                        new ServerAddress(
                                source.address().host(), source.address().port()),
                        source.username(),
                        source.password().value())
                .withDatabase(source.database())
                .withTls(tls(source.tls()));
        return new SourceOptions(
                login,
                source.replicaId(),
                start(config.start()),
                gtidSet(config),
                upper(source.binlogFormats()),
                upper(source.binlogImages()),
                HEARTBEAT);
    }

    private static List<String> upper(List<String> values) {
        return values.stream().map(value -> value.toUpperCase(Locale.ROOT)).toList();
    }

    static BinlogSource.Stream stream(InstanceConfig config) {
        FilterConfig filter = config.filter();
        ZoneId zone = ZoneId.systemDefault();
        StreamOptions options = new StreamOptions(
                config.routing().accumulateOld(),
                config.parser().mariaDbBegins(),
                new StreamOptions.Dropped(
                        filter.dropDcl(),
                        filter.dropDml(),
                        filter.dropDdl(),
                        filter.dropRows(),
                        filter.dropInserts(),
                        filter.dropUpdates(),
                        filter.dropDeletes(),
                        filter.skipTableErrors()),
                new StreamOptions.Statements(!filter.parseStatements(), !filter.dropOther()));
        String charset = CHARSETS.getOrDefault(config.source().charset(), "utf8mb4");
        return new BinlogSource.Stream(
                options,
                filter.tables(),
                new ColumnTypes(zone, config.parser().exactDecimals(), charset),
                filter.dropTransactionEntries(),
                schema(config));
    }

    private static SchemaOptions schema(InstanceConfig config) {
        SchemaConfig schema = config.schema();
        return new SchemaOptions(schema.history()
                .map(place -> new HistoryConfig(
                        config.destination(),
                        place,
                        schema.username(),
                        schema.password().value(),
                        schema.snapshotInterval(),
                        schema.expire()))
                .orElse(null));
    }

    private static @Nullable StreamPoint start(StartPosition start) {
        return start instanceof StartPosition.At at ? new StreamPoint(at.file(), at.offset()) : null;
    }

    private static @Nullable String gtidSet(InstanceConfig config) {
        return config.start() instanceof StartPosition.At at ? at.gtidSet().orElse(null) : null;
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
