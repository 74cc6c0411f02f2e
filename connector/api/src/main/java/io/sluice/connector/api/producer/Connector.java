package io.sluice.connector.api.producer;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The entry point of a broker's module: turns the properties of a server into producers of one kind of broker.
 *
 * <p>Found by {@link ServiceLoader}: an implementation has a public constructor without parameters, and is named in the
 * {@code META-INF/services} of its jar. There is one object per process, which may hold what all its producers share, such as a
 * pool of buffers.
 *
 * <pre>
 *   Connector ──configure──▶ MessageProducerFactory ──create──▶ MessageProducer
 *   one per process          one per set of properties          one per start of an instance
 * </pre>
 *
 * <p>Thread-safe. No method connects to anything, and none returns null; neither does {@link MessageProducerFactory#create}.
 *
 * <p>The set of connectors is closed: those of Sluice, built with it. This API may change with each version, and a connector of another version may
 * fail at its first call. A new one also needs a constant in {@code server.config.ServerMode}, its prefix in {@code server.config.key.ProducerKeys},
 * and a directory in {@code deployer/src/main/assembly/package.xml}; {@code canal.serverMode} accepts no other names.
 *
 * <p>Its classes are loaded from its own jars first, but for the packages that it shares with the server: {@code io.sluice.protocol},
 * {@code io.sluice.store}, {@code io.sluice.connector.api} and {@code org.slf4j}, with all below them. The context class loader of the thread is that of
 * the connector's jars in the methods of this interface and in {@link MessageProducerFactory#create} and {@link MessageProducerFactory#probe}. In those of
 * a {@link MessageProducer} it may be any other one: a client that looks classes up by it, as when it connects again, has to be called with it set.
 */
public interface Connector {
    /**
     * The value of {@code canal.serverMode} that chooses this connector, in lower case, such as {@code kafka}; not empty. Of two connectors with one
     * name the one is used whose jar or directory in {@code plugin/} comes first by its name, and the other one is reported.
     */
    String name();

    /**
     * Reads and validates properties, once for all producers that will be made by them. What they name, such as the file of a key
     * store, is opened to check it; a factory opens it again when it connects, so that a certificate can be replaced while the
     * server runs.
     *
     * @param properties those of the server, with their full keys, such as {@code kafka.acks}, after aliases and placeholders are
     *     resolved; those of other parts are ignored, and a blank value counts as one that is not set. Not kept, and not changed
     * @return a factory of producers with these properties
     * @throws ProducerConfigException if any property is wrong: missing, out of its range, not a key of this connector, or in conflict with
     *     another one; lists all problems, and quotes no secret. Any other exception is reported as one problem of all properties
     */
    MessageProducerFactory configure(Map<String, String> properties);

    /**
     * Whether this connector reads, or accepts and ignores, a key below its prefix. The server passes a system property or an environment
     * variable on only if it does: the broker's client may have options of the JVM that begin in the same way. Keys of the
     * configuration file are passed on in any case, so that {@link #configure} reports those that are misspelt.
     *
     * @param key the full key
     */
    default boolean knows(String key) {
        return true;
    }

    /**
     * Finds the properties for which {@link #configure} or {@link MessageProducerFactory#probe} would open a file, load a class or use a
     * login of this process that they name. A server that tries properties which a client has sent does not call either if there
     * are any, so that no client learns about its files.
     *
     * <p>By default all properties are taken for such ones.
     *
     * @param properties as for {@link #configure}; nothing has validated them
     * @return the full keys of all that are not known to be harmless, sorted; empty if there are none
     */
    default List<String> localKeys(Map<String, String> properties) {
        return properties.keySet().stream().sorted().toList();
    }

    /**
     * Finds the connector of a server mode among the modules that a class loader sees.
     *
     * @param serverMode {@code canal.serverMode}, in any case
     * @return empty if there is none
     */
    static Optional<Connector> find(String serverMode, ClassLoader plugins) {
        String name = serverMode.trim().toLowerCase(Locale.ROOT);
        return ServiceLoader.load(Connector.class, plugins).stream()
                .map(ServiceLoader.Provider::get)
                .filter(connector -> connector.name().equals(name))
                .findFirst();
    }
}
