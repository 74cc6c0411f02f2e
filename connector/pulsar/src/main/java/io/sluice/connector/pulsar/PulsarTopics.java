package io.sluice.connector.pulsar;

import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches which partitions the topics have, and creates topics that were announced. Thread-safe.
 *
 * <p>A topic without partitions is one partition of its own name. A broker that may do so makes a topic when it is asked
 * for.
 */
final class PulsarTopics {
    private static final Logger LOG = LoggerFactory.getLogger(PulsarTopics.class);

    private final PulsarClient client;
    private final PulsarSettings settings;
    private final @Nullable PulsarAdmin admin;

    /** How many partitions a topic should have that is not there yet. */
    private final Map<String, Integer> announced = new ConcurrentHashMap<>();

    /** The names of a topic's partitions, in their order. */
    private final Map<String, List<String>> known = new ConcurrentHashMap<>();

    /** The topics that were there, so that the admin server need not be asked to create them while they are. */
    private final Set<String> found = ConcurrentHashMap.newKeySet();

    /** Whether brokers cannot be asked for partitions without permission to create the topic: those before 3.0.6 and 3.3 (PIP-344). */
    private volatile boolean isOld;

    PulsarTopics(PulsarClient client, PulsarSettings settings) {
        this.client = client;
        this.settings = settings;
        this.admin = settings.adminUrl() == null ? null : new PulsarAdmin(settings, settings.adminUrl());
    }

    /** A topic's messages are spread over so many partitions, so it is made with them, if it is made here. */
    void announce(String topic, int partitions) {
        announced.put(topic, partitions);
    }

    /**
     * The name of the partition that a message goes to: as canal does, an index beyond the topic's partitions starts again
     * at the first. Waits for the broker's answer at a topic's first use.
     */
    String partition(String topic, int partition) throws Exception {
        List<String> names = known.get(topic);
        if (names == null) {
            try {
                names = used(topic);
            } catch (PulsarClientException e) {
                throw PulsarErrors.at(settings.fullName(topic), e);
            }
            known.put(topic, names);
        }
        return names.get(Math.floorMod(partition, names.size()));
    }

    private List<String> used(String topic) throws PulsarClientException, TimeoutException, InterruptedException {
        if (found.contains(topic)) {
            return existing(topic);
        }
        make(topic);
        List<String> names = ask(topic, true);
        found.add(topic);
        return names;
    }

    /**
     * As canal does; a failure shows when the topic is used.
     *
     * @throws PulsarClientException if the token cannot be read now: the topic is not used before, or the broker could make it with another number
     *     of partitions
     */
    private void make(String topic) throws PulsarClientException {
        Integer partitions = announced.get(topic);
        if (admin == null || partitions == null) {
            return;
        }
        try {
            if (admin.createTopic(settings.fullName(topic), partitions)) {
                LOG.info("created a topic: topic={} partitions={}", settings.fullName(topic), partitions);
            }
        } catch (UncheckedIOException e) {
            PulsarClientException failure =
                    new PulsarClientException("cannot create topic %s: %s".formatted(topic, e.getMessage()));
            failure.initCause(e);
            throw failure;
        } catch (IOException | RuntimeException e) { // such as one for its name
            LOG.warn("cannot create a topic: topic={} cause={}", settings.fullName(topic), e.getMessage());
        }
    }

    /**
     * How many partitions a topic has now. One that is missing is made first, as by its first message.
     *
     * @throws PartitionsUnknownException if the broker does not answer, has no such topic and makes none, or does not answer this user
     */
    int count(String topic) {
        try {
            return existing(topic).size();
        } catch (PulsarClientException | TimeoutException e) {
            SendFailure failure = PulsarErrors.classify(e, settings.accessMode());
            throw new PartitionsUnknownException(topic, failure.cause(), failure.kind());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PartitionsUnknownException(topic, e, FailureKind.PASSING);
        }
    }

    private List<String> existing(String topic) throws PulsarClientException, TimeoutException, InterruptedException {
        try {
            return ask(topic, false);
        } catch (PulsarClientException.NotFoundException
                | PulsarClientException.TopicDoesNotExistException
                | PulsarClientException.FeatureNotSupportedException e) {
            make(topic);
            return ask(topic, true);
        }
    }

    private List<String> ask(String topic, boolean maybeMade)
            throws PulsarClientException, TimeoutException, InterruptedException {
        String name = settings.fullName(topic);
        long millis = settings.clientLimit().toMillis();
        try {
            return List.copyOf(client.getPartitionsForTopic(name, maybeMade).get(millis, TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            throw PulsarClientException.unwrap(e.getCause());
        } catch (TimeoutException e) {
            throw new TimeoutException(
                    "no broker has stated the partitions of %s within %d ms".formatted(name, millis));
        }
    }

    /** Refreshes the partitions of partitioned topics; does not wait. */
    void refresh() {
        known.forEach((topic, before) -> {
            if (before.size() > 1 || !settings.fullName(topic).equals(before.get(0))) {
                refresh(topic, before);
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the next refresh asks again
    private void refresh(String topic, List<String> before) {
        boolean mayCreate = isOld;
        client.getPartitionsForTopic(settings.fullName(topic), mayCreate).whenComplete((now, cause) -> {
            if (cause == null) {
                if (!now.equals(before) && known.replace(topic, before, List.copyOf(now))) {
                    LOG.info(
                            "topic has other partitions: topic={} partitions={} before={}",
                            topic,
                            now.size(),
                            before.size());
                }
            } else if (!mayCreate && isUnsupported(cause)) {
                isOld = true;
                refresh(topic, before);
            } else {
                LOG.debug("the partitions of a topic were not refreshed: topic={}", topic, cause);
            }
        });
    }

    private static boolean isUnsupported(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof PulsarClientException.FeatureNotSupportedException;
    }

    /** Clears what is cached of a topic whose producer cannot be made: its partitions may be others when it can. */
    void forget(String topic) {
        known.remove(topic);
    }

    /** Clears the cache of partitions. */
    void forget() {
        known.clear();
    }
}
