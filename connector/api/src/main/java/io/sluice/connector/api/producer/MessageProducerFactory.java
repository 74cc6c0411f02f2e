package io.sluice.connector.api.producer;

import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import java.time.Duration;
import java.util.List;

/**
 * Makes producers of one broker by settings that are complete and valid: what {@link Connector#configure} makes of properties.
 *
 * <p>Thread-safe. Its settings never change; other properties are another factory.
 */
public interface MessageProducerFactory {
    /**
     * Whether producers use {@link ProducerContext#deployment}. Otherwise no id is made for them, so no file has to be written for it.
     */
    default boolean usesDeployment() {
        return false;
    }

    /**
     * Makes the producer of a destination, which connects when it needs to. The caller closes it. Waits for nothing: the start of the instance waits, and
     * no other change of it can be made meanwhile.
     *
     * @return a producer of its own for each call; not null
     * @throws ProducerConfigException if the broker's client rejects the settings for a reason that only it can see, such as a host that
     *     cannot be resolved, or if a file that it reads now has become unusable; the start of an instance fails then. A file that is read
     *     for each connection, such as a key store, fails the connection, which is tried again
     */
    MessageProducer create(ProducerContext context);

    /**
     * Tries what the producer of a destination would need: connection, login, topics and rights. Sends no message, and changes
     * nothing at the broker. May be called by several threads at once, also while producers of this factory are used.
     *
     * <p>By default nothing is tried, and that is the finding.
     *
     * @param destination the name of the instance, not empty
     * @param topics those that will be sent to, as far as they are known, each once; may be empty
     * @param limit how long to wait for the broker's answers, in all; positive
     * @param findings takes what is found as soon as it is; failures of the broker are findings, and not exceptions
     * @throws InterruptedException if the thread was interrupted because the time is over
     */
    default void probe(String destination, List<TopicNeed> topics, Duration limit, Findings findings)
            throws InterruptedException {
        findings.unknown("broker", "this connector cannot be tried without sending messages", "");
    }
}
