package io.sluice.connector.api.producer;

import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Makes the producers of one kind of broker. Found by {@link ServiceLoader}, so it has a constructor without parameters and
 * is in the module's {@code META-INF/services}.
 */
public interface MessageProducerFactory {
    /** The property that names the destination whose producer is made, besides those of the server. */
    String DESTINATION = "canal.instance.destination";

    /**
     * The property with the id of the deployment whose producer is made, see {@link ProducerIdentity}; may be empty, and is missing unless
     * {@link #usesDeployment}.
     */
    String DEPLOYMENT = "canal.instance.deployment";

    /** The value of {@code canal.serverMode} that chooses it, in lower case, such as {@code kafka}. */
    String name();

    /**
     * Checks properties without connecting to anything.
     *
     * @param properties those of the server, with their full keys; those of other parts are ignored
     * @return all problems that {@link #create} would have; empty if there are none
     */
    List<ConfigProblem> check(Map<String, String> properties);

    /**
     * Whether a key below the prefix of these properties means something here. A system property or variable that does not is not passed on:
     * the broker's client may have options of the JVM that begin in the same way.
     *
     * @param key the full key
     */
    default boolean knows(String key) {
        return true;
    }

    /** Whether producers use {@link #DEPLOYMENT}. Otherwise no id is made for them, so no file has to be written for it. */
    default boolean usesDeployment() {
        return false;
    }

    /**
     * Makes a producer, which connects when it needs to.
     *
     * @param properties as for {@link #check}, with {@link #DESTINATION} and {@link #DEPLOYMENT}
     * @param ownership nothing is sent once it is not held; if it has an epoch, each message carries it, where the broker's
     *     messages can
     * @throws ProducerConfigException if there are problems, all of them
     */
    MessageProducer create(Map<String, String> properties, Ownership ownership);

    /**
     * Tries what a producer with these properties would need: connection, login, topics and rights. Sends no message, and changes
     * nothing at the broker. May be called by several threads at once.
     *
     * @param properties as for {@link #create}; {@link #check} has found no problems in them
     * @param topics those that will be sent to, as far as they are known, each once
     * @param limit how long to wait for the broker's answers, in all; positive
     * @param findings takes what is found as soon as it is; failures of the broker are findings, and not exceptions
     * @throws InterruptedException if the thread was interrupted because the time is over
     */
    default void probe(Map<String, String> properties, List<TopicNeed> topics, Duration limit, Findings findings)
            throws InterruptedException {
        findings.unknown("broker", "the connector " + name() + " cannot be tried without sending messages", "");
    }

    /**
     * Finds the properties for which {@link #check} or {@link #probe} would open a file or load a class that they name. A server that
     * tries what a client has sent leaves the broker out if there are any, so that no client learns of its files.
     *
     * @param properties as for {@link #create}
     * @return the full keys of all that are not known to be harmless, in their order; empty if there are none
     */
    default List<String> localKeys(Map<String, String> properties) {
        return properties.keySet().stream()
                .filter(key -> !key.equals(DESTINATION))
                .sorted()
                .toList();
    }

    /**
     * Finds the factory for a server mode among the modules that {@code plugins} sees.
     *
     * @param serverMode {@code canal.serverMode} in any case
     */
    static Optional<MessageProducerFactory> find(String serverMode, ClassLoader plugins) {
        String name = serverMode.trim().toLowerCase(Locale.ROOT);
        return ServiceLoader.load(MessageProducerFactory.class, plugins).stream()
                .map(ServiceLoader.Provider::get)
                .filter(factory -> factory.name().equals(name))
                .findFirst();
    }
}
