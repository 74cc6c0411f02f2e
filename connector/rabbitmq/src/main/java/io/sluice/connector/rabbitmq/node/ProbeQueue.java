package io.sluice.connector.rabbitmq.node;

import io.sluice.connector.rabbitmq.settings.Address;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/**
 * A queue that is declared at a node to find which others know it. A node that is joined may learn of it a little later, so those that do not know it are asked again until half a second has passed since
 * the declaration, for all of them together. For one thread; to be deleted at the end.
 */
public final class ProbeQueue {
    /** Of the names of all queues that are declared for a connection alone. */
    public static final String PREFIX = "sluice.producer.";

    /** The names of all of them, for the rights of a user. */
    public static final String NAMES = "^sluice\\.producer\\..*";

    /** Declares a queue for a connection alone. */
    public static BrokerAnswer.Question declaration(String name) {
        return channel -> channel.queueDeclare(name, false, true, false, Map.of());
    }

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int MAX_PAUSES = 5;

    private final String name = PREFIX + UUID.randomUUID();
    private final NodeAsker asker;
    private final Address node;
    private final Time time;
    private int pauses;

    /** Declares nothing yet. */
    ProbeQueue(NodeAsker asker, Address node, Time time) {
        this.asker = asker;
        this.node = node;
        this.time = time;
    }

    BrokerAnswer declare() {
        return asker.declare(node, name);
    }

    /** The answer of another node. It proves something only if the queue {@link #isKnown} to it or {@link #isUnknown}. */
    BrokerAnswer find(Address other) {
        BrokerAnswer answer = asker.find(other, name);
        while (isUnknown(answer) && pauses < MAX_PAUSES) {
            pauses++;
            try {
                time.sleep(PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return BrokerAnswer.notAsked("interrupted while asking");
            }
            answer = asker.find(other, name);
        }
        return answer;
    }

    /** Returns whether it was there until now, and the answers that it is not known prove something. */
    boolean delete() {
        return asker.delete(node, name);
    }

    /** Whether an answer proves that the two nodes are joined. */
    static boolean isKnown(BrokerAnswer answer) {
        return switch (answer.kind()) {
            case DONE, LOCKED -> true;
            default -> false;
        };
    }

    /** Whether an answer proves that the two nodes are not joined, or not yet. */
    static boolean isUnknown(BrokerAnswer answer) {
        return switch (answer.kind()) {
            case MISSING, UNUSABLE -> true;
            default -> false;
        };
    }
}
