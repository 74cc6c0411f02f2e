package io.sluice.testkit.check;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes new changes of one stream from repeated ones, and checks that repetitions are complete.
 *
 * <p>{@code next} is the position of the stream in the sequence of its distinct changes: at the end while it has new
 * things, before it after it went back. It may go back at any time, but on only step by step.
 */
final class Repetitions {
    /** What a change is to those before it. */
    enum Verdict {
        NEW,
        REPEATED,
        /** Repeated, but what should have been repeated before it was left out. */
        REPEATED_TOO_EARLY,
        /** New, but what should have been repeated before it was left out. */
        NEW_TOO_EARLY
    }

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final Map<Long, Integer> places = new HashMap<>();
    private int next;

    Verdict add(Change change) {
        long print = print(change);
        Integer place = places.get(print);
        if (place != null) {
            boolean inOrder = place <= next;
            next = place + 1;
            return inOrder ? Verdict.REPEATED : Verdict.REPEATED_TOO_EARLY;
        }
        boolean inOrder = next == places.size();
        places.put(print, places.size());
        next = places.size();
        return inOrder ? Verdict.NEW : Verdict.NEW_TOO_EARLY;
    }

    boolean isUnfinished() {
        return next < places.size();
    }

    private static long print(Change change) {
        long hash = mix(FNV_OFFSET, change.origin().event());
        hash = mix(hash, change.table().schema());
        hash = mix(hash, change.table().table());
        if (change instanceof Change.OfRow row) {
            hash = mix(mix(hash, row.before()), row.after());
        } else if (change instanceof Change.OfSchema schema) {
            hash = mix(hash, schema.sql());
        }
        return hash;
    }

    private static long mix(long hash, @Nullable Row row) {
        if (row == null) {
            return (hash ^ 1) * FNV_PRIME;
        }
        long mixed = hash;
        for (String column : row.columns()) {
            String value = row.value(column);
            mixed = value == null ? (mixed ^ 2) * FNV_PRIME : mix(mixed, value);
        }
        return mixed;
    }

    private static long mix(long hash, String text) {
        long mixed = hash;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            mixed = (mixed ^ (b & 0xff)) * FNV_PRIME;
        }
        return (mixed ^ 0x1ff) * FNV_PRIME;
    }
}
