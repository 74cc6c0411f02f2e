package io.sluice.server.instance;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.text.Masking;
import io.sluice.stream.failure.StreamException;
import io.sluice.stream.source.server.FailureClassifier;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The newest errors of one destination, with what to do about each. Thread-safe. */
public final class ErrorLog {
    /** The part of an instance whose failures have remedies of their own. */
    static final String SOURCE = "the source";

    private static final int CAPACITY = 50;

    /** Each is kept, and shown by pages and alarms; what it quotes may be of any length. */
    static final int MAX_MESSAGE = 8192;

    /**
     * The number of a binlog file with an offset, or the intervals of a server in a GTID set of MySQL, or a GTID of MariaDB. Groups that are
     * repeated are possessive: others would take stack for each repetition.
     */
    private static final Pattern POSITION = Pattern.compile(
            "\\.\\d{6,}(?::\\d+)?|:\\d++(?:-\\d++)++|(?<=-[0-9a-fA-F]{12})(?::\\d++(?:-\\d++)?+)++|(?<![\\w.:-])\\d+-\\d+-\\d+(?![\\w-])");

    private final Time time;
    private final Deque<Item> items = new ArrayDeque<>();

    /**
     * One error, or several in a row that are alike.
     *
     * @param time when it happened last
     * @param times how often it happened in a row
     * @param part where: {@code source}, {@code delivery} or {@code instance}
     * @param kind of a source, one of the closed list of its failures; of others a word
     * @param message what happened last, at most {@value #MAX_MESSAGE} characters and an ellipsis, a longer one without passwords; positions and GTID sets may have been others before
     * @param remedy what to do
     */
    public record Item(Instant time, int times, String part, String kind, String message, String remedy) {
        private boolean isLike(Item other) {
            return part.equals(other.part) && kind.equals(other.kind) && hasMessageOf(other);
        }

        /** Positions and GTID sets grow from one attempt to the next. */
        private boolean hasMessageOf(Item other) {
            return withoutPositions(message).equals(withoutPositions(other.message));
        }

        private static String withoutPositions(String text) {
            return POSITION.matcher(text).replaceAll("");
        }
    }

    /** What has ended the newest instance that has failed. */
    @GuardedBy("this") private @Nullable Throwable ended;

    /** The newest failure of a delivery. */
    @GuardedBy("this") private @Nullable Throwable delivery;

    /** Makes an empty one. */
    public ErrorLog(Time time) {
        this.time = time;
    }

    void addOfSource(SourceFailure failure, Throwable cause) {
        add("source", failure.spelling(), cause, FailureClassifier.remedy(cause));
    }

    /** Adds a failed delivery, which is tried again; nothing if it is known to have ended the instance. */
    public synchronized void addOfDelivery(Throwable cause) {
        Throwable end = ended;
        if (end != null && isCausedBy(end, cause)) {
            return;
        }
        delivery = cause;
        add(
                "delivery",
                "delivery_failed",
                cause,
                "it is sent again; check the broker, and whether it can be reached from here");
    }

    /** Adds what has ended an instance, unless the newest error is that of its source with the same cause. */
    public synchronized void addOfInstance(String part, Throwable cause) {
        ended = cause;
        Throwable failed = delivery;
        Item last = items.peekLast();
        if (failed != null
                && last != null
                && last.part.equals("delivery")
                && last.times == 1
                && isCausedBy(cause, failed)) {
            items.removeLast(); // it is not tried again
            last = items.peekLast();
        }
        boolean isKnown = part.equals(SOURCE)
                && last != null
                && last.part.equals("source")
                && last.message.equals(message(cause));
        if (!isKnown) {
            add("instance", "failed", cause, remedy(part, cause));
        }
    }

    private static boolean isCausedBy(Throwable end, Throwable cause) {
        for (Throwable one = end; one != null; one = one.getCause()) {
            if (one == cause) {
                return true;
            }
        }
        return false;
    }

    /** Adds why no instance could be made. */
    public void addOfStart(Throwable cause) {
        add(
                "instance",
                "failed",
                cause,
                "remove the cause; the instance is started again by itself after a while, at once by sluice.sh start, and, if the server has ended, with it");
    }

    /**
     * Adds that it cannot be decided by ZooKeeper whether the instance may run here.
     *
     * @param message what is wrong
     * @param remedy what to do about it
     */
    public void addOfZooKeeper(String message, Throwable cause, String remedy) {
        add("instance", "zookeeper", new IllegalStateException(message, cause), remedy);
    }

    /** Returns what to do about what has ended an instance. */
    static String remedy(String part, Throwable cause) {
        return part.equals(SOURCE) || cause instanceof StreamException
                ? FailureClassifier.remedy(cause)
                : part
                        + " cannot continue: remove the cause, then start the instance again, or restart the server if keys of it or of the broker have changed, or wait for its next attempt if it has canal.instance.restart = backoff";
    }

    private static String message(Throwable cause) {
        String message = cause.getMessage() == null ? cause.toString() : FailureClassifier.message(cause);
        if (message.length() <= MAX_MESSAGE) {
            return message;
        }
        message =
                Masking.value(message); // before it is cut: of a password that is cut, the beginning would not be found
        if (message.length() <= MAX_MESSAGE) {
            return message;
        }
        int end = Character.isHighSurrogate(message.charAt(MAX_MESSAGE - 1)) ? MAX_MESSAGE - 1 : MAX_MESSAGE;
        return message.substring(0, end) + "…";
    }

    private synchronized void add(String part, String kind, Throwable cause, String remedy) {
        String message = message(cause);
        Item next = new Item(Instant.ofEpochMilli(time.millis()), 1, part, kind, message, remedy);
        Item last = items.peekLast();
        if (last != null && last.isLike(next)) {
            items.removeLast();
            next = new Item(next.time(), last.times() + 1, part, kind, message, remedy);
        }
        items.addLast(next);
        if (items.size() > CAPACITY) {
            items.removeFirst();
        }
    }

    /**
     * Returns what an operator can do about a failure of the source: what is known of the newest error of its kind, or else of all of them.
     *
     * @param newest errors, newest first
     */
    public static String remedy(SourceFailure failure, List<Item> newest) {
        for (Item item : newest) {
            if (item.part().equals("source")
                    && item.kind().equals(failure.spelling())
                    && !item.remedy().isEmpty()) {
                return item.remedy();
            }
        }
        return failure.remedy();
    }

    /** The errors, newest first. */
    public synchronized List<Item> newest() {
        List<Item> all = new ArrayList<>(items);
        Collections.reverse(all);
        return all;
    }
}
