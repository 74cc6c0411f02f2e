package io.sluice.connector.api.producer;

/**
 * Whose messages a producer sends.
 *
 * @param destination the name of the instance, not empty
 * @param deployment the id of the deployment that runs it, see {@link ProducerIdentity}, exactly as it is, with white space; empty
 *     if it has none, or unless {@link MessageProducerFactory#usesDeployment}
 * @param ownership nothing is sent once it is not held; if it has an epoch, each message carries it, where the broker's messages can
 */
public record ProducerContext(String destination, String deployment, Ownership ownership) {
    public ProducerContext {
        if (destination.isEmpty()) {
            throw new IllegalArgumentException("a destination has a name");
        }
    }

    /** The context of a destination without the id of a deployment. */
    public ProducerContext(String destination, Ownership ownership) {
        this(destination, "", ownership);
    }

    /** What the broker may know the producers of this destination by; not empty. */
    public String identity() {
        return ProducerIdentity.of(destination, deployment);
    }
}
