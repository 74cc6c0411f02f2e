package io.sluice.connector.pulsar;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import java.time.Duration;

/**
 * Decides for how long rights that are not known to be denied are retried. Once a broker has admitted a producer, without a limit: rows are kept while its metadata
 * store or authorization plugin fails. If none ever has, the cause may be a tenant that does not exist, for which older brokers have the same answer, or a denial in the
 * words of a plugin. Only time counts in which each attempt fails so, and no two of them are further apart than {@link TakenPartitions#LONGEST_GAP}. What is final stays
 * so, however seldom messages come, until a producer is admitted or an attempt fails for another reason. Thread-safe.
 */
final class UncheckedRights {
    /** The number of failures that are final, if they have also lasted for {@link #LIMIT}. */
    static final int ENOUGH = 5;

    static final Duration LIMIT = Duration.ofMinutes(5);

    private final Time time;
    private boolean isAdmitted;
    private boolean isFinal;
    private int failures;
    private long firstNanos;
    private long lastNanos;

    /** Has seen no failure. */
    UncheckedRights(Time time) {
        this.time = time;
    }

    /** Notes that the broker has admitted a producer. */
    synchronized void admitted() {
        isAdmitted = true;
        begin();
    }

    /** Notes that an attempt has failed for another reason, so it is not known whether the broker could check the rights meanwhile. */
    synchronized void otherFailure() {
        begin();
    }

    @GuardedBy("this") private void begin() {
        failures = 0;
        isFinal = false;
    }

    /** Notes that the rights are not known to be denied, but no producer was admitted; returns whether the topic counts as missing. */
    synchronized boolean isFinal() {
        long now = time.nanos();
        if (failures == 0 || now - lastNanos > TakenPartitions.LONGEST_GAP.toNanos()) {
            failures = 0;
            firstNanos = now;
        }
        lastNanos = now;
        failures++;
        isFinal = isFinal || !isAdmitted && failures >= ENOUGH && now - firstNanos >= LIMIT.toNanos();
        return isFinal;
    }
}
