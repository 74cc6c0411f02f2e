package io.sluice.server.probe;

import java.time.Duration;

/** Formats lengths of time for people, in one unit. */
final class Span {
    private Span() {}

    /** {@code 45 s}, {@code 12 min}, {@code 30 h}, {@code 14 days}; rounded down. */
    static String of(Duration length) {
        if (length.compareTo(Duration.ofMinutes(2)) < 0) {
            return length.toSeconds() + " s";
        }
        if (length.compareTo(Duration.ofHours(2)) < 0) {
            return length.toMinutes() + " min";
        }
        return length.compareTo(Duration.ofDays(2)) < 0 ? length.toHours() + " h" : length.toDays() + " days";
    }
}
