package io.sluice.deployer;

import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.deployer.PluginLoader.Plugged;
import io.sluice.deployer.PluginLoader.Providers;
import io.sluice.server.config.key.ProducerKeys;
import io.sluice.server.config.key.ServerKeys;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.server.ServerMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connectors in the plugin directory, of which one is for the server's mode. */
final class Connectors implements ProducerCheck {
    private static final Logger LOG = LoggerFactory.getLogger(Connectors.class);

    private final PluginLoader plugins;
    private List<Named> loaded = List.of();
    private List<String> unusable = List.of();

    /** A connector under its name. */
    private record Named(String name, PluggedConnector connector, Path plugin) {}

    Connectors(PluginLoader plugins) {
        this.plugins = plugins;
    }

    /** Loads all plugins; a plugin's classes are loaded once. One that cannot be loaded is passed over. */
    void load() throws IOException {
        Providers<Connector> found = plugins.providersOf(Connector.class);
        List<Named> named = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        found.unusable().forEach(one -> problems.add(one.toString()));
        for (Plugged<Connector> one : found.usable()) {
            try {
                named.add(named(one));
            } catch (RuntimeException | LinkageError e) {
                problems.add(new PluginLoader.Unusable(one.plugin(), e.toString()).toString());
            }
        }
        loaded = List.copyOf(named);
        unusable = List.copyOf(problems);
    }

    private static Named named(Plugged<Connector> plugged) {
        PluggedConnector connector = new PluggedConnector(plugged.provider());
        String name = connector.name();
        return new Named(name, connector, plugged.plugin());
    }

    /**
     * The connector of a mode.
     *
     * @throws IOException if there is none; the message names the plugin directory
     */
    Connector forMode(ServerMode mode) throws IOException {
        Named named = named(mode)
                .orElseThrow(() -> new IOException(
                        "no connector for canal.serverMode=%s is in %s, which has %s: unpack the package again, or copy plugin/ of a whole one"
                                .formatted(
                                        nameOf(mode),
                                        plugins.directory(),
                                        loaded.stream().map(Named::name).toList())));
        LOG.info("the connector was loaded: mode={} plugin={}", named.name(), named.plugin());
        return named.connector();
    }

    /** Plugins that are not used though they are there: those that cannot be loaded, and those whose connector another one has, too. */
    @Override
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>(unusable);
        loaded.stream().collect(Collectors.groupingBy(Named::name)).forEach((name, all) -> {
            for (Named other : all.subList(1, all.size())) {
                warnings.add(
                        "%s is not used, since %s has a connector for canal.serverMode=%s, too, and comes first by its name: remove one of them"
                                .formatted(other.plugin(), all.get(0).plugin(), name));
            }
        });
        return warnings;
    }

    /**
     * A mode without a connector is not a problem of its properties; {@link #forMode} reports it. That a plugin cannot be loaded, which may have it,
     * is one of the mode.
     */
    @Override
    public Optional<MessageProducerFactory> configure(
            ServerMode mode, Map<String, String> properties, BiConsumer<String, String> problems) {
        Optional<Named> named = named(mode);
        if (named.isEmpty() && !unusable.isEmpty()) {
            problems.accept(
                    ServerKeys.SERVER_MODE.name(),
                    "no connector for %s is in %s, and %s: unpack the package again"
                            .formatted(nameOf(mode), plugins.directory(), String.join("; ", unusable)));
        }
        try {
            return named.map(one -> one.connector().configure(properties));
        } catch (ProducerConfigException e) {
            e.problems().forEach(problem -> problems.accept(problem.key(), problem.problem()));
            return Optional.empty();
        } catch (RuntimeException | LinkageError e) {
            problems.accept(ProducerKeys.of(mode).prefix() + "*", failure(named.orElseThrow(), e));
            return Optional.empty();
        }
    }

    /** What a connector has not foreseen, with where it happened. The exception itself is not logged: it may quote what is secret. */
    private static String failure(Named connector, Throwable failure) {
        String cause = failure.getCause() == null ? "" : ": " + failure.getCause();
        String where = Arrays.stream(failure.getStackTrace())
                .filter(frame -> isOfPlugin(frame.getClassName()))
                .findFirst()
                .map(frame -> ", at %s.%s(%s:%d)"
                        .formatted(
                                frame.getClassName(),
                                frame.getMethodName(),
                                frame.getFileName(),
                                frame.getLineNumber()))
                .orElse("");
        return "the connector in %s fails: %s%s%s".formatted(connector.plugin(), failure, cause, where);
    }

    private static boolean isOfPlugin(String className) {
        return !className.startsWith("java.") && !className.startsWith(Connectors.class.getPackageName() + ".");
    }

    @Override
    public boolean knows(ServerMode mode, String key) {
        return find(mode).map(connector -> connector.knows(key)).orElse(true);
    }

    /** The connector of a mode; empty if it is not there. */
    Optional<Connector> find(ServerMode mode) {
        return named(mode).map(Named::connector);
    }

    private Optional<Named> named(ServerMode mode) {
        return loaded.stream().filter(one -> one.name().equals(nameOf(mode))).findFirst();
    }

    private static String nameOf(ServerMode mode) {
        return mode.spelling().toLowerCase(Locale.ROOT);
    }
}
