package io.sluice.connector.api.producer;

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
     * Makes a producer, which connects when it needs to.
     *
     * @param properties as for {@link #check}, with {@link #DESTINATION}
     * @param ownership nothing is sent once it is not held; if it has an epoch, each message carries it, where the broker's
     *     messages can
     * @throws ProducerConfigException if there are problems, all of them
     */
    MessageProducer create(Map<String, String> properties, Ownership ownership);

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
