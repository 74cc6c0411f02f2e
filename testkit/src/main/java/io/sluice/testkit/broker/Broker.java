package io.sluice.testkit.broker;

import io.sluice.testkit.proxy.Gate;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A running message queue that a server under test sends to.
 *
 * <p>It can be stopped, frozen and started again with its data. The server under test reaches it through its gate, which
 * can cut connections; the test itself need not. For one thread at a time.
 */
public interface Broker extends AutoCloseable {
    /** Its name in the names of topics and in messages: lower-case letters. */
    String name();

    /** {@code canal.properties} of a server that sends to it, through the gate: {@code canal.serverMode} and its keys. */
    Map<String, String> settings();

    /** Additional settings with which an attempt to send to a broker that does not answer fails within a few seconds. */
    Map<String, String> shortTimeouts();

    /**
     * Makes what readers of a topic need, and returns when it is there.
     *
     * @param partitions how many the topic has; brokers that know none ignore it
     */
    void createTopic(String topic, int partitions);

    /** How many records the topic got so far. */
    long delivered(String topic);

    /**
     * Reads a topic from its first record on, however often it was read before, until the condition holds; fails with an
     * {@link IllegalStateException} that has the number of records if it does not hold in time.
     *
     * @param receiver gets the records, those of one partition in their order
     * @param condition asked before the first record, and again and again after some
     */
    void read(String topic, Consumer<BrokerRecord> receiver, BooleanSupplier condition, Duration atMost);

    /** Stops it cleanly. */
    void stop();

    /** Starts it again, at the same address and with the same data, and returns when it answers. */
    void restart();

    /** Freezes it: its connections stay open, and nothing answers. */
    void pause();

    /** Continues it after a pause. */
    void resume();

    /** What the connections of the server under test go through. */
    Gate gate();

    /** Ends it at once, and deletes its data. */
    @Override
    void close();
}
