package io.sluice.server.config.text;

import org.jspecify.annotations.Nullable;

/**
 * The lookup for what holds for the whole server: system property, environment, {@code canal.properties}. The first
 * that is there wins, even a blank one, and placeholders stay as written: some are Kafka's own.
 */
public final class ServerLookup implements Lookup {
    private final Environment environment;
    private final PropertiesFile file;

    public ServerLookup(Environment environment, PropertiesFile file) {
        this.environment = environment;
        this.file = file;
    }

    @Override
    public @Nullable Setting find(String key) {
        String property = environment.systemProperties().get(key);
        if (property != null) {
            return new Setting(new Origin.SystemProperty(), property.strip(), property.strip());
        }
        String variable = environment.variables().get(key);
        if (variable != null) {
            return new Setting(new Origin.EnvironmentVariable(), variable.strip(), variable.strip());
        }
        return file.find(key);
    }
}
