package io.sluice.format.value;

import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/**
 * A time zone's distance from UTC at any second, remembered for the span between two transitions, since the timestamps of
 * a stream are mostly of one season. For all threads.
 */
final class TimeZoneOffsets {
    private final ZoneRules rules;
    private volatile Span newest;

    TimeZoneOffsets(ZoneId zone) {
        this.rules = zone.getRules();
        this.newest = spanAt(0);
    }

    /** How many seconds to add to UTC at {@code epochSecond}. */
    int offsetSeconds(long epochSecond) {
        Span span = newest;
        if (epochSecond < span.from || epochSecond >= span.to) {
            span = spanAt(epochSecond);
            newest = span;
        }
        return span.offsetSeconds;
    }

    private Span spanAt(long epochSecond) {
        Instant instant = Instant.ofEpochSecond(epochSecond);
        int offset = rules.getOffset(instant).getTotalSeconds();
        if (rules.isFixedOffset()) {
            return new Span(Long.MIN_VALUE, Long.MAX_VALUE, offset);
        }
        ZoneOffsetTransition before = rules.previousTransition(instant.plusSeconds(1));
        ZoneOffsetTransition after = rules.nextTransition(instant);
        return new Span(
                before == null ? Long.MIN_VALUE : before.toEpochSecond(),
                after == null ? Long.MAX_VALUE : after.toEpochSecond(),
                offset);
    }

    /** Seconds from one transition, inclusive, to the next, exclusive. */
    private record Span(long from, long to, int offsetSeconds) {}
}
