package io.sluice.server.config.text;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lookup for one instance: system property and environment if not blank, then its own file, then
 * {@code canal.properties}. A key that its file leaves blank hides the server's value.
 *
 * <p>{@code ${key:fallback}} inside a value is looked up in the same way, also inside what it stands for; one that
 * leads nowhere is empty. Only in rules for topics <code>${schema}</code> and <code>${table}</code> that lead nowhere stay as they
 * are: there they stand for the names of each table. <code>${file:path}</code> and <code>${env:NAME}</code> are {@link OutsideValues},
 * unless there are keys named {@code file} and {@code env}, which then are meant as they are by canal.
 */
public final class InstanceLookup implements Lookup {
    private static final String RULES_FOR_TOPICS = "canal.mq.dynamicTopic";
    private static final Set<String> NAMES_OF_TABLES = Set.of("schema", "table");

    private final Environment environment;
    private final PropertiesFile serverFile;
    private final PropertiesFile instanceFile;
    private final String destination;
    private final Placeholders placeholders;

    /** Makes it for one instance. */
    public InstanceLookup(
            Environment environment,
            PropertiesFile serverFile,
            PropertiesFile instanceFile,
            String destination,
            Placeholders placeholders) {
        this.environment = environment;
        this.serverFile = serverFile;
        this.instanceFile = instanceFile;
        this.destination = destination;
        this.placeholders = placeholders;
    }

    @Override
    public @Nullable Setting find(String key) {
        Setting raw = findRaw(key);
        return raw == null ? null : placeholders.fill(key, raw, filling -> new Names(key, filling));
    }

    private @Nullable Setting findRaw(String key) {
        if (key.equals("canal.instance.destination")) {
            return Setting.written(new Origin.BuiltIn(), destination);
        }
        String property = environment.systemProperties().get(key);
        if (property != null && !property.isBlank()) {
            return Setting.written(new Origin.SystemProperty(), property.strip());
        }
        String variable = environment.variables().get(key);
        if (variable != null && !variable.isBlank()) {
            return Setting.written(new Origin.EnvironmentVariable(), variable.strip());
        }
        Setting own = instanceFile.find(key);
        return own != null ? own : serverFile.find(key);
    }

    /** The other keys, as one value refers to them. */
    private final class Names implements Filling.Names {
        private final Filling filling;

        /** The keys whose values are being filled in. */
        private final Set<String> open = new HashSet<>();

        Names(String key, Filling filling) {
            this.filling = filling;
            open.add(key);
        }

        @Override
        public boolean keeps(String inside) {
            return false;
        }

        @Override
        public boolean hasKey(String name) {
            return findRaw(name) != null;
        }

        @Override
        public @Nullable String valueOf(String name, @Nullable Supplier<String> fallback) {
            Setting setting = findRaw(name);
            if (setting == null || setting.raw().isEmpty()) {
                boolean template =
                        fallback == null && NAMES_OF_TABLES.contains(name) && open.contains(RULES_FOR_TOPICS);
                return template ? "${" + name + "}" : fallback == null ? "" : fallback.get();
            }
            if (setting.isHidden()) {
                throw new UnknownValueException();
            }
            if (!open.add(name)) {
                throw new PlaceholderException("its placeholders lead back to ${" + name + "}");
            }
            if (Key.isSecret(name)) {
                filling.markSecret();
            }
            String value = filling.fill(setting.raw(), this);
            open.remove(name);
            return value;
        }
    }
}
