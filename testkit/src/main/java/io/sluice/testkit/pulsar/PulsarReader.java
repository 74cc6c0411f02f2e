package io.sluice.testkit.pulsar;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;

/**
 * Reads all messages of a topic from the first on, without a subscription that stays.
 *
 * <p>Messages of one partition come in their order; those of several come interleaved. A topic that is not there yet is
 * waited for.
 */
public final class PulsarReader {
    private static final Duration POLL = Duration.ofMillis(50);

    private final String serviceUrl;
    private final String token;

    /** A reader of the broker at the given address; with an empty token it does not authenticate. */
    public PulsarReader(String serviceUrl, String token) {
        this.serviceUrl = serviceUrl;
        this.token = token;
    }

    /** All messages up to those with which the condition first holds; fails if it does not hold in time. */
    public List<PulsarMessage> readUntil(String topic, Predicate<List<PulsarMessage>> condition, Duration atMost) {
        List<PulsarMessage> messages = new ArrayList<>();
        read(topic, messages::add, () -> condition.test(messages), atMost);
        return messages;
    }

    /** The first so many messages of a topic, and those that came along with them. */
    public List<PulsarMessage> readAtLeast(String topic, int count, Duration atMost) {
        return readUntil(topic, messages -> messages.size() >= count, atMost);
    }

    /** What a topic holds now. */
    public List<PulsarMessage> readToEnd(String topic, Duration atMost) {
        List<PulsarMessage> messages = new ArrayList<>();
        withReaders(topic, atMost, readers -> {
            for (int partition = 0; partition < readers.size(); partition++) {
                Reader<byte[]> reader = readers.get(partition);
                while (reader.hasMessageAvailable()) {
                    Message<byte[]> next = reader.readNext((int) POLL.toMillis(), TimeUnit.MILLISECONDS);
                    if (next != null) {
                        messages.add(read(partition, next));
                    }
                }
            }
        });
        return messages;
    }

    /**
     * Hands on message by message, for topics that would not fit into memory, until the condition holds; fails if it does
     * not hold in time. The condition is asked before the first message and after each round over the partitions.
     */
    public void read(String topic, Consumer<PulsarMessage> receiver, BooleanSupplier condition, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        withReaders(topic, atMost, readers -> {
            long count = 0;
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException(
                            "after %d messages of topic %s nothing more came in time".formatted(count, topic));
                }
                for (int partition = 0; partition < readers.size(); partition++) {
                    count += drain(readers.get(partition), partition, receiver);
                }
            }
        });
    }

    private static int drain(Reader<byte[]> reader, int partition, Consumer<PulsarMessage> receiver)
            throws PulsarClientException {
        int count = 0;
        Message<byte[]> next = reader.readNext((int) POLL.toMillis(), TimeUnit.MILLISECONDS);
        while (next != null) {
            receiver.accept(read(partition, next));
            count++;
            next = reader.readNext(0, TimeUnit.MILLISECONDS);
        }
        return count;
    }

    private static PulsarMessage read(int partition, Message<byte[]> message) {
        return new PulsarMessage(
                partition, message.hasKey() ? message.getKey() : null, message.getData(), message.getProperties());
    }

    /** What is done with a reader for each partition, in their order. */
    private interface Reading {
        void with(List<Reader<byte[]>> readers) throws PulsarClientException;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the end of the client's threads need not be awaited
    private void withReaders(String topic, Duration atMost, Reading reading) {
        List<Reader<byte[]>> readers = new ArrayList<>();
        PulsarClient client = PulsarServer.client(serviceUrl, token);
        try {
            for (String partition : partitions(client, topic, atMost)) {
                readers.add(client.newReader()
                        .topic(partition)
                        .startMessageId(MessageId.earliest)
                        .create());
            }
            reading.with(readers);
        } catch (PulsarClientException e) {
            throw new IllegalStateException("could not read topic " + topic, e);
        } finally {
            client.closeAsync(); // which takes two seconds, mostly of waiting
        }
    }

    private static List<String> partitions(PulsarClient client, String topic, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            Exception failure;
            try {
                return client.getPartitionsForTopic(topic, false).get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for topic " + topic, e);
            } catch (Exception e) { // the broker may be about to come back
                failure = e;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("there is no topic " + topic, failure);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }
}
