package io.sluice.server.port;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Limits what is in memory of the answers of a port that its clients have not read yet, for all of them together: one that reads slowly, or not at all,
 * keeps its answer there until its connection is closed. Small answers are not counted. Thread-safe.
 */
public final class UnsentAnswers {
    /** What a port keeps by default. */
    public static final long MOST_BYTES = 32L * 1024 * 1024;

    /** Smaller ones are limited by the number of connections. */
    private static final int SMALL_BYTES = 64 * 1024;

    /** One part of as many is what a caller may have, and one is for callers that have nothing unread: some that read nothing leave room for others. */
    private static final int PARTS = 4;

    /** The callers that are named as those that read nothing. */
    private static final int NAMED = 3;

    private final long mostBytes;

    @GuardedBy("this") private long unsentBytes;

    /** By the names of callers that have any. */
    @GuardedBy("this") private final Map<String, Long> unsentOf = new HashMap<>();

    /** @param mostBytes the bytes of all of them; a single one may have more */
    public UnsentAnswers(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * Counts an answer, before it is sent, where callers are not known.
     *
     * @return false if too much is unsent already, so that it must not be sent
     */
    public synchronized boolean add(int bytes) {
        if (bytes <= SMALL_BYTES) {
            return true;
        }
        if (unsentBytes > 0 && unsentBytes + bytes > mostBytes) {
            return false;
        }
        unsentBytes += bytes;
        return true;
    }

    /**
     * Counts an answer, before it is sent. A caller may have a part of all only, or a single answer, and the last part is for callers that have none.
     *
     * @return false if too much is unsent already, so that it must not be sent
     */
    public synchronized boolean add(String caller, int bytes) {
        if (bytes <= SMALL_BYTES) {
            return true;
        }
        long own = unsentOf.getOrDefault(caller, 0L);
        if (own > 0 && (own + bytes > mostBytes / PARTS || unsentBytes + bytes > mostBytes - mostBytes / PARTS)
                || !add(bytes)) {
            return false;
        }
        unsentOf.put(caller, own + bytes);
        return true;
    }

    /** The callers that have most unread, and how much; empty if none has any. */
    public synchronized String largest() {
        return unsentOf.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(NAMED)
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
    }

    /** Forgets an answer that was counted, since it has left or will never leave. */
    public synchronized void remove(int bytes) {
        if (bytes > SMALL_BYTES) {
            unsentBytes -= bytes;
        }
    }

    /** Forgets an answer that was counted for a caller, since it has left or will never leave. */
    public synchronized void remove(String caller, int bytes) {
        if (bytes > SMALL_BYTES) {
            unsentBytes -= bytes;
            unsentOf.computeIfPresent(caller, (name, own) -> own == bytes ? null : own - bytes);
        }
    }
}
