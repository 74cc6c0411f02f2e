package io.sluice.server.config.read;

import io.sluice.server.config.ConfigDigests;
import io.sluice.server.config.key.Keys;
import io.sluice.server.config.key.PerDestinationKey;
import io.sluice.server.config.key.SourceKeys;
import io.sluice.server.config.server.ServerConfig;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Key.Change;
import io.sluice.server.config.text.Key.Scope;
import io.sluice.server.config.text.Key.Support;
import io.sluice.server.config.text.Lookup;
import io.sluice.server.config.text.Setting;
import io.sluice.server.config.text.Settings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes the digests by which a configuration is compared with one that is read later. */
final class DigestReader {
    private DigestReader() {}

    /** The digest of all values that count for one instance. */
    static String ofInstance(String destination, Settings own, Lookup server) {
        Map<String, String> values = new TreeMap<>();
        for (Key<?> key : Keys.all()) {
            if (key.scope() == Scope.INSTANCE) {
                add(values, key.name(), own.raw(key.name()));
            }
        }
        if (own.isSetBlank(SourceKeys.PASSWORD)) { // which is no password, where a key that is not set has a default
            values.put(SourceKeys.PASSWORD.name(), "");
        }
        for (PerDestinationKey<?> key : Keys.perDestination()) {
            add(
                    values,
                    key.suffix(),
                    server.find(key.countingFor(destination, server).name()));
        }
        return digest(values.toString());
    }

    /** The digests of the server's values that are read at the start only, and those of the instances. */
    static ConfigDigests of(
            Settings settings, ServerConfig server, Map<String, String> ofInstances, Map<String, Instant> modified) {
        Map<String, String> values = new HashMap<>(server.producerProperties());
        for (Key<?> key : Keys.all()) {
            if (key.change() == Change.RESTART && key.support() == Support.NOW) {
                add(values, key.name(), settings.raw(key.name()));
            }
        }
        values.replaceAll((name, value) -> digest(value));
        return new ConfigDigests(values, ofInstances, modified);
    }

    private static void add(Map<String, String> values, String name, @Nullable Setting setting) {
        if (setting != null && !setting.isBlank()) {
            values.put(name, setting.text());
        }
    }

    private static String digest(String text) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
