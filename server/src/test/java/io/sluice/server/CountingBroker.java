package io.sluice.server;

import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.api.producer.UnbufferedProducer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A broker for rows that have the numbers 1, 2, 3 and so on as their ids: it notes numbers that come before one that is smaller has come.
 * A number may come again.
 */
final class CountingBroker implements Connector, MessageProducerFactory {
    private static final Pattern ID = Pattern.compile("\"id\":\"(\\d+)\"");

    private final Map<String, Integer> newest = new HashMap<>();
    private final Set<String> gaps = new TreeSet<>();
    private final Set<String> rejecting = new HashSet<>();
    private final Map<String, Throwable> refusing = new HashMap<>();
    private final AtomicInteger open = new AtomicInteger();

    /** The largest number that has come of a destination; 0 if none has. */
    synchronized int newest(String destination) {
        return newest.getOrDefault(destination, 0);
    }

    /** The numbers that have come too early. */
    synchronized Set<String> gaps() {
        return Set.copyOf(gaps);
    }

    /** Rejects the next message of a destination for good. */
    synchronized void rejectNext(String destination) {
        rejecting.add(destination);
    }

    /** Makes no producer for a destination from now on, but throws that. */
    synchronized void refuseToMake(String destination, Throwable cause) {
        refusing.put(destination, cause);
    }

    synchronized void makeAgain(String destination) {
        refusing.remove(destination);
    }

    private synchronized void requireMade(String destination) {
        Throwable cause = refusing.get(destination);
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause != null) {
            throw new IllegalStateException(cause);
        }
    }

    /** How many producers were made and not closed. */
    int openProducers() {
        return open.get();
    }

    private synchronized boolean take(String destination, String value) {
        if (rejecting.remove(destination)) {
            return false;
        }
        Matcher ids = ID.matcher(value);
        while (ids.find()) {
            int id = Integer.parseInt(ids.group(1));
            int before = newest(destination);
            if (id > before + 1) {
                gaps.add("%s: %d after %d".formatted(destination, id, before));
            }
            newest.put(destination, Math.max(before, id));
        }
        return true;
    }

    @Override
    public String name() {
        return "counting";
    }

    @Override
    public MessageProducerFactory configure(Map<String, String> properties) {
        return this;
    }

    @Override
    public MessageProducer create(ProducerContext context) {
        String destination = context.destination();
        requireMade(destination);
        open.incrementAndGet();
        return new UnbufferedProducer() {
            private boolean closed;

            @Override
            public void send(Message message, DeliveryCallback callback) {
                if (take(destination, new String(message.value(), StandardCharsets.UTF_8))) {
                    callback.delivered();
                } else {
                    callback.failed(new IllegalStateException("the test rejects it"), FailureKind.INVALID);
                }
            }

            @Override
            public void close(Duration longest) {
                if (!closed) {
                    closed = true;
                    open.decrementAndGet();
                }
            }
        };
    }
}
