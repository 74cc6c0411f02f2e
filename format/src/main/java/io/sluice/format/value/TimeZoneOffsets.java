package io.sluice.format.value;

import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * A time zone's distance from UTC at any second, remembered for the spans between two transitions: a row may have timestamps of several
 * seasons, such as when it was made and when it was changed. For all threads.
 */
final class TimeZoneOffsets {
    /** Seconds of a slot, as a power of two: twelve days. */
    private static final int SLOT_BITS = 20;

    /** Seventeen years; the times of other ones share the slots. */
    private static final int SLOTS = 512;

    private final ZoneRules rules;

    /** For each slot of time the span that was used in it last, which is the only one of that time but where a transition is in it. */
    private final @Nullable Span[] spans = new Span[SLOTS];

    TimeZoneOffsets(ZoneId zone) {
        this.rules = zone.getRules();
    }

    /** How many seconds to add to UTC at {@code epochSecond}. */
    int offsetSeconds(long epochSecond) {
        return span(epochSecond).offsetSeconds;
    }

    /** The span that a second is in. */
    Span span(long epochSecond) {
        int slot = (int) (epochSecond >> SLOT_BITS) & SLOTS - 1;
        Span span = spans[slot];
        if (span == null || epochSecond < span.from || epochSecond >= span.to) {
            span = spanAt(epochSecond);
            spans[slot] = span;
        }
        return span;
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

    /** Seconds from one transition, inclusive, to the next, exclusive. Immutable, so that another thread sees all of it. */
    record Span(long from, long to, int offsetSeconds) {}
}
