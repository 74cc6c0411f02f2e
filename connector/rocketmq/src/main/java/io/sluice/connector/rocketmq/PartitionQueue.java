package io.sluice.connector.rocketmq;

import io.sluice.connector.api.producer.DeliveryCallback;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.rocketmq.common.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * The messages for one partition of a topic: one request is on its way, and what came meanwhile goes in the next.
 *
 * <p>That keeps the order, which the client does not keep for concurrent requests. Guarded by its buffer's lock.
 */
final class PartitionQueue {
    /** The most messages of a request; a broker notes each of them by itself. */
    private static final int MAX_MESSAGES = 4096;

    private final String topic;
    private final int partition;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private @Nullable List<Waiting> onTheWay;

    /** How many messages may go in a request, for so many of those that wait. */
    private int mostOfThem = MAX_MESSAGES;

    private int ofThem;

    /**
     * A message that is taken and not answered.
     *
     * @param sequence grows in the order in which a producer takes messages
     * @param bytes about what it takes in a request
     */
    record Waiting(long sequence, Message message, int bytes, DeliveryCallback callback) {}

    PartitionQueue(String topic, int partition) {
        this.topic = topic;
        this.partition = partition;
    }

    String topic() {
        return topic;
    }

    int partition() {
        return partition;
    }

    void add(Waiting next) {
        waiting.add(next);
    }

    /**
     * Takes what goes in the next request.
     *
     * @param bytes how much that may be; one message goes in any case
     * @param single which messages go alone
     * @return empty if nothing waits, or a request is on its way
     */
    List<Waiting> take(int bytes, Predicate<Message> single) {
        Waiting first = waiting.peek();
        if (first == null || onTheWay != null) {
            return List.of();
        }
        List<Waiting> taken = new ArrayList<>();
        taken.add(waiting.remove());
        int most = ofThem > 0 ? Math.min(mostOfThem, ofThem) : MAX_MESSAGES;
        if (!single.test(first.message())) {
            long left = (long) bytes - first.bytes();
            for (Waiting next = waiting.peek();
                    next != null && next.bytes() <= left && taken.size() < most && !single.test(next.message());
                    next = waiting.peek()) {
                left -= next.bytes();
                taken.add(waiting.remove());
            }
        }
        ofThem = Math.max(0, ofThem - taken.size());
        onTheWay = taken;
        return taken;
    }

    /** Whether a request is on its way, or is being answered. */
    boolean hasRequest() {
        return onTheWay != null;
    }

    boolean isOnTheWay(List<Waiting> request) {
        return onTheWay == request;
    }

    /** What was on its way is being answered; until that is done nothing follows it. */
    void beginAnswer() {
        onTheWay = List.of();
    }

    /** What was on its way has been answered. */
    void free() {
        onTheWay = null;
    }

    /** Puts back a request that the broker has rejected as a whole, to go in halves until the invalid message goes alone. */
    void sendInHalves(List<Waiting> refused) {
        for (int i = refused.size() - 1; i >= 0; i--) {
            waiting.addFirst(refused.get(i));
        }
        mostOfThem = Math.max(1, refused.size() / 2);
        ofThem += refused.size();
        onTheWay = null;
    }

    /** Takes out what waits after a message. */
    List<Waiting> dropBehind(long sequence) {
        ArrayDeque<Waiting> dropped = new ArrayDeque<>();
        while (!waiting.isEmpty() && waiting.getLast().sequence() > sequence) {
            dropped.addFirst(waiting.removeLast());
        }
        ofThem = Math.min(ofThem, waiting.size());
        return List.copyOf(dropped);
    }

    /** Takes out all that is not answered. */
    List<Waiting> dropAll() {
        List<Waiting> dropped = new ArrayList<>();
        if (onTheWay != null) {
            dropped.addAll(onTheWay);
            onTheWay = null;
        }
        dropped.addAll(waiting);
        waiting.clear();
        return dropped;
    }
}
