package io.sluice.server.alarm;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * A notification of a problem, or of its end.
 *
 * @param destination the instance; blank for the server as a whole
 * @param what more about the problem, or why it is over; without values of rows and secrets; may be blank
 * @param remedy what to do; blank if it is over
 * @param since when it began
 * @param lasting for how long it has lasted, or had when it was over
 * @param occurrences how often it has occurred since it was posted last, this time included
 */
record Alarm(
        AlarmKind kind,
        Phase phase,
        String destination,
        String what,
        String remedy,
        Instant since,
        Duration lasting,
        int occurrences) {
    /** Where in the course of a problem it is. */
    enum Phase {
        RAISED,
        /** The problem was reported before, and lasts. */
        REPEATED,
        /** The problem is over. */
        RECOVERED;

        String spelling() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
