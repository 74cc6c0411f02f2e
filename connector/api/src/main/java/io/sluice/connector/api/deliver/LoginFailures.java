package io.sluice.connector.api.deliver;

import io.sluice.protocol.time.Time;
import java.time.Duration;

/**
 * Decides whether a broker that does not admit the producer will admit it later. It will not if it never has. If it has, the cause may pass by itself: a server
 * on which the login depends is down, a load balancer closes connections, a certificate was renewed that the next connection reads. A broker that does not tell a server that is down from an account that
 * is wrong is given as long as a source that rejects a login, whether it has admitted the producer before or not. For the sender's thread.
 */
final class LoginFailures {
    /** The number of failures in a row that are final, if they have also lasted for {@link #LIMIT}. */
    static final int ENOUGH = 5;

    static final Duration LIMIT = Duration.ofMinutes(1);

    static final Duration LIMIT_OF_ONE_THAT_MAY_PASS = Duration.ofMinutes(10);

    private final Time time;

    private int inARow;
    private long firstNanos;
    private long deliveredBefore;

    /** Has seen no failure. */
    LoginFailures(Time time) {
        this.time = time;
    }

    /**
     * Notes that the broker has not admitted the producer, by a connection of its own.
     *
     * @param delivered how many messages the broker has confirmed by now
     * @param mayPass whether the cause may pass also if nothing was ever delivered
     * @return whether it is not worth another attempt
     */
    boolean isFinal(long delivered, boolean mayPass) {
        long now = time.nanos();
        if (inARow == 0 || delivered != deliveredBefore) {
            inARow = 0;
            firstNanos = now;
            deliveredBefore = delivered;
        }
        inARow++;
        if (delivered == 0 && !mayPass) {
            return true;
        }
        Duration limit = mayPass ? LIMIT_OF_ONE_THAT_MAY_PASS : LIMIT;
        return inARow >= ENOUGH && now - firstNanos >= limit.toNanos();
    }

    /** Notes that something else has failed: the broker may have admitted the producer before, or could not be reached. */
    void interrupted() {
        inARow = 0;
    }
}
