package io.sluice.connector.pulsar;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends the numbers from 0 on, each to the partition that it falls to by its rest, as the sender of an instance does: up to so
 * many at once, and after a failure again from the first that has failed.
 */
final class NumberSender implements Runnable {
    private static final int AT_ONCE = 500;
    private static final int MORE_UNTIL_THE_END = 4 * AT_ONCE;
    private static final long PAUSE_NANOS = 50_000_000;

    private final MessageProducer producer;
    private final String topic;
    private final int partitions;
    private volatile int total;
    private volatile int begun;
    private final AtomicInteger confirmed = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();

    NumberSender(MessageProducer producer, String topic, int partitions, int total) {
        this.producer = producer;
        this.topic = topic;
        this.partitions = partitions;
        this.total = total;
    }

    /** One that sends until it is told to end, so that something can happen meanwhile however fast the broker is. */
    static NumberSender endless(MessageProducer producer, String topic, int partitions) {
        return new NumberSender(producer, topic, partitions, Integer.MAX_VALUE);
    }

    /** Has it send some more, and end then; returns how many they are in all. */
    int end() {
        total = begun + MORE_UNTIL_THE_END;
        return total;
    }

    /** All up to this one, and not it, are at the broker. */
    int confirmed() {
        return confirmed.get();
    }

    /** How often it had to begin again. */
    int failures() {
        return failures.get();
    }

    @Override
    public void run() {
        int from = 0;
        while (from < total) {
            int to = Math.min(total, from + AT_ONCE);
            begun = to;
            int firstFailed = send(from, to);
            confirmed.set(firstFailed);
            if (firstFailed < to) {
                failures.incrementAndGet();
                LockSupport.parkNanos(PAUSE_NANOS);
                producer.restart();
            }
            from = firstFailed;
        }
    }

    private int send(int from, int to) {
        Phaser open = new Phaser(1);
        AtomicInteger firstFailed = new AtomicInteger(to);
        for (int next = from; next < to; next++) {
            int number = next;
            open.register();
            byte[] value = Integer.toString(number).getBytes(StandardCharsets.US_ASCII);
            producer.send(new Message(topic, number % partitions, value), new DeliveryCallback() {
                @Override
                public void delivered() {
                    open.arriveAndDeregister();
                }

                @Override
                public void failed(Exception cause, FailureKind kind) {
                    firstFailed.accumulateAndGet(number, Math::min);
                    open.arriveAndDeregister();
                }
            });
        }
        open.arriveAndAwaitAdvance();
        return firstFailed.get();
    }

    /**
     * What is wrong with the order in which a partition got its numbers: each must be the next one, or one that was there
     * before and is sent again, with all behind it.
     */
    static List<String> faults(List<Integer> arrived, int partition, int partitions, int total) {
        List<String> faults = new ArrayList<>();
        int expected = partition;
        for (int number : arrived) {
            if (number > expected) {
                faults.add("%d came behind %d".formatted(number, expected - partitions));
            }
            expected = number + partitions;
        }
        if (expected < total) {
            faults.add("the last one is %d of %d".formatted(expected - partitions, total));
        }
        return faults;
    }
}
