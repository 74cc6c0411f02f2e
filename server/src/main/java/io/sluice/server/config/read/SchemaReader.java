package io.sluice.server.config.read;

import io.sluice.mysql.wire.auth.ServerPublicKey;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.mysql.wire.tls.TlsOptions;
import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.server.config.key.SchemaKeys;
import io.sluice.server.config.text.Setting;
import io.sluice.server.config.text.Settings;
import io.sluice.server.config.text.Warning;
import io.sluice.stream.source.schema.SchemaOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads where an instance gets the schemas of its tables. */
final class SchemaReader {
    private final String destination;
    private final Settings settings;
    private final Path baseDirectory;
    private final Path dataDirectory;

    /**
     * Makes a reader.
     *
     * @param baseDirectory what relative paths start from
     * @param dataDirectory where the history is, unless the operator sets another
     */
    SchemaReader(String destination, Settings settings, Path baseDirectory, Path dataDirectory) {
        this.destination = destination;
        this.settings = settings;
        this.baseDirectory = baseDirectory;
        this.dataDirectory = dataDirectory;
    }

    /**
     * Reads it; what cannot be read is reported.
     *
     * @param stores opens the key stores
     */
    SchemaOptions read(KeyStoreCheck stores) {
        return new SchemaOptions(settings.get(SchemaKeys.HISTORY) ? history(stores) : null, reloaded());
    }

    /** What is probably not intended, as sentences; none if there is a problem. */
    List<Warning> doubts() {
        Setting url = settings.raw(SchemaKeys.HISTORY_URL.name());
        if (!settings.get(SchemaKeys.HISTORY) || url == null || url.isUnusable()) {
            return List.of();
        }
        try {
            return HistoryLocation.doubts(url.text(), baseDirectory).stream()
                    .<Warning>map(doubt -> new Warning.At(
                            url.origin(),
                            SchemaKeys.HISTORY_URL.name() + " " + settings.sentence(SchemaKeys.HISTORY_URL, doubt)))
                    .toList();
        } catch (IllegalArgumentException e) {
            return List.of(); // a problem
        }
    }

    private HistoryConfig history(KeyStoreCheck stores) {
        return new HistoryConfig(
                destination,
                place(stores),
                settings.get(SchemaKeys.HISTORY_USER),
                settings.get(SchemaKeys.HISTORY_PASSWORD).value(),
                Duration.ofHours(Math.max(0, settings.get(SchemaKeys.SNAPSHOT_HOURS))),
                Duration.ofHours(Math.max(0, settings.get(SchemaKeys.EXPIRE_HOURS))));
    }

    private @Nullable TableFilter reloaded() {
        String tables = settings.get(SchemaKeys.RELOAD);
        try {
            TableFilter.problemOf(tables).ifPresent(problem -> settings.complain(SchemaKeys.RELOAD, problem));
            return tables.isBlank() ? null : new TableFilter(tables, "");
        } catch (IllegalArgumentException e) {
            settings.complain(SchemaKeys.RELOAD, String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** A file beside the cursor's unless the operator sets another. */
    private HistoryLocation place(KeyStoreCheck stores) {
        Setting url = settings.raw(SchemaKeys.HISTORY_URL.name());
        if (url != null && url.isUnusable()) {
            // Reported, or known on another machine only: nothing follows for rules about the default, which is a file.
            return HistoryLocation.parse("jdbc:mysql://unknown:3306/unknown", baseDirectory);
        }
        try {
            HistoryLocation place = HistoryLocation.parse(
                    settings.find(SchemaKeys.HISTORY_URL).orElse("jdbc:h2:" + dataDirectory.resolve("h2")),
                    baseDirectory);
            if (place instanceof HistoryLocation.MySql mysql) {
                checkFiles(mysql, stores);
            }
            return place;
        } catch (IllegalArgumentException | IOException e) {
            settings.complain(SchemaKeys.HISTORY_URL, String.valueOf(e.getMessage()));
            return HistoryLocation.parse("jdbc:h2:h2", baseDirectory); // not used: there is a problem
        }
    }

    /** So that a file that is missing is reported with all other problems, and not at the first connection. */
    private static void checkFiles(HistoryLocation.MySql location, KeyStoreCheck stores) throws IOException {
        Path serverKey = location.passwords().serverPublicKey();
        if (serverKey != null) {
            ServerPublicKey.check(serverKey);
        }
        TlsOptions tls = location.tls();
        KeyStoreFile trust = tls.trust();
        if (trust != null && (tls.mode() == TlsMode.VERIFY_CA || tls.mode() == TlsMode.VERIFY_IDENTITY)) {
            stores.requireTrusted(trust);
        }
        KeyStoreFile client = tls.client();
        if (client != null && tls.mode() != TlsMode.DISABLED) {
            stores.requireOwn(client);
        }
    }
}
