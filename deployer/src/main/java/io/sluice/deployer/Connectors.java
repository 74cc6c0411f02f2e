package io.sluice.deployer;

import io.sluice.connector.api.producer.MessageProducerFactory;
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
    private List<MessageProducerFactory> factories = List.of();

    Connectors(PluginLoader plugins) {
        this.plugins = plugins;
    }

    /** Loads all plugins; a plugin's classes are loaded once. */
    void load() throws IOException {
        factories = plugins.providersOf(MessageProducerFactory.class).stream()
                .<MessageProducerFactory>map(PluggedFactory::new)
                .toList();
    }

    /**
     * The connector of a mode.
     *
     * @throws IOException if there is none; the message names the plugin directory
     */
    MessageProducerFactory forMode(ServerMode mode) throws IOException {
        return find(mode)
                .orElseThrow(() -> new IOException("no connector for canal.serverMode=%s is in %s, there are %s"
                        .formatted(
                                nameOf(mode),
                                plugins.directory(),
                                factories.stream()
                                        .map(MessageProducerFactory::name)
                                        .toList())));
    }

    /** A mode without a connector is not a problem of its properties; {@link #forMode} reports it. */
    @Override
    public void check(ServerMode mode, Map<String, String> properties, BiConsumer<String, String> problems) {
        find(mode)
                .ifPresent(factory -> factory.check(properties)
                        .forEach(problem -> problems.accept(problem.key(), problem.problem())));
    }

    @Override
    public boolean knows(ServerMode mode, String key) {
        return find(mode).map(factory -> factory.knows(key)).orElse(true);
    }

    /** The connector of a mode; empty if it is not there. */
    Optional<MessageProducerFactory> find(ServerMode mode) {
        return factories.stream()
                .filter(factory -> factory.name().equals(nameOf(mode)))
                .findFirst();
    }

    private static String nameOf(ServerMode mode) {
        return mode.spelling().toLowerCase(Locale.ROOT);
    }
}
