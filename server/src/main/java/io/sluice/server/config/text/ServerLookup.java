package io.sluice.server.config.text;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lookup for what holds for the whole server: system property, environment, {@code canal.properties}. The first
 * that is there wins, even a blank one. Of its placeholders only <code>${file:path}</code> and <code>${env:NAME}</code> are filled in; others
 * stay as written, and some of these are Kafka's own.
 */
public final class ServerLookup implements Lookup {
    /** Decides which placeholders are left to a connector. */
    @FunctionalInterface
    public interface Foreign {
        /**
         * Whether a placeholder stays as it is written.
         *
         * @param key the key whose value it is in
         * @param inside what is between its braces
         * @param raw gives values as they are written
         */
        boolean keeps(String key, String inside, Lookup raw);
    }

    private final Environment environment;
    private final PropertiesFile file;
    private final Placeholders placeholders;
    private final Foreign foreign;

    /** Creates the lookup. */
    public ServerLookup(Environment environment, PropertiesFile file, Placeholders placeholders, Foreign foreign) {
        this.environment = environment;
        this.file = file;
        this.placeholders = placeholders;
        this.foreign = foreign;
    }

    @Override
    public @Nullable Setting find(String key) {
        Setting raw = findRaw(key);
        return raw == null ? null : placeholders.fill(key, raw, filling -> new Names(key));
    }

    private @Nullable Setting findRaw(String key) {
        String property = environment.systemProperties().get(key);
        if (property != null) {
            return Setting.written(new Origin.SystemProperty(), property.strip());
        }
        String variable = environment.variables().get(key);
        if (variable != null) {
            return Setting.written(new Origin.EnvironmentVariable(), variable.strip());
        }
        return file.find(key);
    }

    /** A server's keys do not refer to each other. */
    private final class Names implements Filling.Names {
        private final String key;

        Names(String key) {
            this.key = key;
        }

        @Override
        public boolean keeps(String inside) {
            int colon = inside.indexOf(':');
            return colon < 0
                    || !OutsideValues.isKind(inside.substring(0, colon).strip())
                    || foreign.keeps(key, inside, ServerLookup.this::findRaw);
        }

        @Override
        public boolean hasKey(String name) {
            return false;
        }

        @Override
        public @Nullable String valueOf(String name, @Nullable Supplier<String> fallback) {
            return null;
        }
    }
}
