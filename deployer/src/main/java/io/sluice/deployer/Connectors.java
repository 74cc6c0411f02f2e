package io.sluice.deployer;

import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.server.config.ServerMode;
import io.sluice.server.config.read.ProducerCheck;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The connectors in the plugin directory, of which one is for the server's mode. */
final class Connectors implements ProducerCheck {
    private final PluginLoader plugins;
    private List<Connector> loaded = List.of();

    Connectors(PluginLoader plugins) {
        this.plugins = plugins;
    }

    /** Loads all plugins; a plugin's classes are loaded once. */
    void load() throws IOException {
        loaded = plugins.providersOf(Connector.class).stream()
                .<Connector>map(PluggedConnector::new)
                .toList();
    }

    /**
     * The connector of a mode.
     *
     * @throws IOException if there is none; the message names the plugin directory
     */
    Connector forMode(ServerMode mode) throws IOException {
        return find(mode)
                .orElseThrow(() -> new IOException("no connector for canal.serverMode=%s is in %s, there are %s"
                        .formatted(
                                nameOf(mode),
                                plugins.directory(),
                                loaded.stream().map(Connector::name).toList())));
    }

    /** A mode without a connector is not a problem of its properties; {@link #forMode} reports it. */
    @Override
    public Optional<MessageProducerFactory> configure(
            ServerMode mode, Map<String, String> properties, BiConsumer<String, String> problems) {
        try {
            return find(mode).map(connector -> connector.configure(properties));
        } catch (ProducerConfigException e) {
            e.problems().forEach(problem -> problems.accept(problem.key(), problem.problem()));
            return Optional.empty();
        }
    }

    @Override
    public boolean knows(ServerMode mode, String key) {
        return find(mode).map(connector -> connector.knows(key)).orElse(true);
    }

    /** The connector of a mode; empty if it is not there. */
    Optional<Connector> find(ServerMode mode) {
        return loaded.stream()
                .filter(connector -> connector.name().equals(nameOf(mode)))
                .findFirst();
    }

    private static String nameOf(ServerMode mode) {
        return mode.spelling().toLowerCase(Locale.ROOT);
    }
}
