package io.sluice.connector.rabbitmq.unroutable;

import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Answers the messages of a connection that no queue takes.
 *
 * <p>A cluster leads no message to a classic queue whose node is down, as if the queue did not exist. So a message is rejected for that only if a {@link Lookup} finds
 * that there is no such queue; otherwise it fails, and is sent again. Those that come after one that failed so fail, too: they may be of the same queue, and the queue may be
 * back before it is asked for. A queue may also be back, or become known to the node, between the rejection and the question. So if the lookup finds that to be possible, a message is
 * rejected only when it is returned again after a question: what is returned first is sent once more. Thread-safe.
 */
public final class UnroutableMessages {
    /** Finds queues that are there, but get no messages now. */
    public interface Lookup {
        /** The topics that may have such a queue, with the reason in words. May take long; called by one thread at a time. */
        Map<String, String> unreachable(Set<String> topics);

        /** Whether the node may have returned a message for a queue that it reaches, or knows, a moment later. */
        boolean mayBeLate();
    }

    private record Returned(Message message, DeliveryCallback callback, SendException why) {}

    private static final String ONCE_MORE =
            "its queue may have become known to the node since, so it is sent once more before it counts as one that no queue takes";

    private final Lookup lookup;
    private final Runnable answered;
    private final Queue<Returned> waiting = new ConcurrentLinkedQueue<>();

    /** The reason why a message may have a queue; null if none was found since the last restart. */
    private volatile @Nullable String unreachable;

    /**
     * Those that were returned before a question that found no queue for them, since the last one that found that a queue may be there. A sender sends the same ones again,
     * and lets go of those that are delivered or passed over.
     */
    private final Set<Message> returned = Collections.newSetFromMap(new WeakHashMap<>());

    /**
     * Has none.
     *
     * @param answered called after each callback
     */
    public UnroutableMessages(Lookup lookup, Runnable answered) {
        this.lookup = lookup;
        this.answered = answered;
    }

    /** Adds one; {@link #judge} or {@link #fail} must follow. */
    public void add(Message message, DeliveryCallback callback, SendException why) {
        waiting.add(new Returned(message, callback, why));
    }

    /** Answers those that were added before. May take long; for one thread at a time. */
    public void judge() {
        List<Returned> all = takeAll();
        if (all.isEmpty()) {
            return;
        }
        Map<String, String> reasons = Map.of();
        String otherwise = unreachable;
        try {
            if (otherwise == null) {
                otherwise = "whether it has a queue that is down is not known"; // if the lookup throws
                reasons = lookup.unreachable(topicsOf(all));
                otherwise = null;
                unreachable = reasons.values().stream().findFirst().orElse(null);
            }
        } finally {
            if (otherwise != null || !reasons.isEmpty()) {
                returned.clear();
            }
            for (Returned each : all) {
                String reason = reasons.getOrDefault(each.message().topic(), otherwise);
                answer(each, reason == null ? verdict(each) : passing(each.why(), reason));
            }
        }
    }

    private SendException verdict(Returned each) {
        boolean isFirst = lookup.mayBeLate() && returned.add(each.message());
        return isFirst ? SendException.onceMore(text(each.why(), ONCE_MORE), each.why()) : each.why();
    }

    /** Answers those that were added before as failed with their connection. */
    public void fail(Exception cause) {
        for (Returned each : takeAll()) {
            each.callback().failed(cause, FailureKind.PASSING);
            answered.run();
        }
    }

    /** To be called when all are answered, before messages are sent again. */
    public void restart() {
        unreachable = null;
    }

    private List<Returned> takeAll() {
        List<Returned> all = new ArrayList<>();
        for (Returned next = waiting.poll(); next != null; next = waiting.poll()) {
            all.add(next);
        }
        return all;
    }

    private static Set<String> topicsOf(List<Returned> messages) {
        Set<String> topics = new LinkedHashSet<>();
        messages.forEach(message -> topics.add(message.message().topic()));
        return topics;
    }

    private void answer(Returned message, SendException why) {
        message.callback().failed(why, why.kind());
        answered.run();
    }

    private static SendException passing(SendException why, String reason) {
        return new SendException(FailureKind.PASSING, text(why, reason), why);
    }

    private static String text(SendException why, String reason) {
        return "%s; but %s".formatted(why.getMessage(), reason);
    }
}
