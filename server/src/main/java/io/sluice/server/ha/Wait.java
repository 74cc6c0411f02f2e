package io.sluice.server.ha;

import java.time.Duration;

/**
 * What the next step of a candidate waits for.
 *
 * @param kind what ends the wait
 * @param longest the longest wait
 */
record Wait(Kind kind, Duration longest) {
    /** What ends a wait, apart from its time and the end of the candidacy. */
    enum Kind {
        /** Any change: an answer, or news that an earlier answer may be outdated. A step that comes early does no harm. */
        CHANGE,
        /** Nothing. A step that comes early returns what is left of the wait. */
        TIME,
        /** There is no next step. */
        END
    }

    static final Wait NONE = new Wait(Kind.CHANGE, Duration.ZERO);
    static final Wait END = new Wait(Kind.END, Duration.ZERO);

    static Wait forChange(Duration longest) {
        return new Wait(Kind.CHANGE, longest);
    }

    static Wait forTime(Duration length) {
        return new Wait(Kind.TIME, length);
    }
}
