package io.sluice.admin.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.server.config.key.KeyCatalog;
import io.sluice.server.config.key.KeyDescription;
import io.sluice.server.config.text.Key;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a key, as the API shows it.
 *
 * @param scope {@code server}, or {@code both}: an instance's key may be in the server's file, as the default of all
 * @param defaultValue null if none holds
 * @param values that are allowed, if they are few; else empty
 * @param effect {@code reload} or {@code restart}
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record ConfigKey(
        String key,
        String scope,
        String type,
        @Nullable String defaultValue,
        String description,
        List<String> values,
        boolean secret,
        String effect,
        String group) {
    /** Returns all keys, in the order of their documentation. */
    static List<ConfigKey> all() {
        return KeyCatalog.keys().stream().map(ConfigKey::of).toList();
    }

    private static ConfigKey of(KeyDescription key) {
        return new ConfigKey(
                key.name(),
                key.scope() == Key.Scope.SERVER ? "server" : "both",
                lower(key.kind()),
                key.standard().isBlank() ? null : key.standard(),
                description(key),
                key.choices(),
                key.secret(),
                lower(key.change()),
                key.group());
    }

    private static String description(KeyDescription key) {
        if (key.description().isEmpty()) {
            return key.reason();
        }
        return key.allowed().isEmpty() ? key.description() : key.description() + " Must be " + key.allowed() + ".";
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
