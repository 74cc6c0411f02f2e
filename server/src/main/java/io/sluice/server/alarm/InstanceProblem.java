package io.sluice.server.alarm;

import java.time.Duration;

/**
 * A problem that an instance has at the moment.
 *
 * @param what more about it than its kind states; without values of rows and secrets; blank if there is no more
 * @param remedy what to do
 * @param lasting for how long it has lasted, as far as that is known; zero if not
 * @param isCertain whether it does not end by itself, so that there is no point in waiting whether it lasts
 */
record InstanceProblem(AlarmKind kind, String what, String remedy, Duration lasting, boolean isCertain) {
    InstanceProblem(AlarmKind kind, String what, String remedy, Duration lasting) {
        this(kind, what, remedy, lasting, false);
    }
}
