package io.sluice.connector.api.deliver.failure;

import io.sluice.protocol.time.Time;
import java.time.Duration;

/**
 * Decides whether a broker that does not admit the producer will admit it later. It will not if it never has. If it has, the cause may pass by itself: a server
 * on which the login depends is down, a load balancer closes connections, a certificate was renewed that the next connection reads. A broker that does not tell a server that is down from an account that
 * is wrong is given as long as a source that rejects a login, whether it has admitted the producer before or not. For the sender's thread.
 */
public final class LoginFailures {
    /** The number of failures in a row that are final, if they have also lasted for {@link #LIMIT}. */
    public static final int ENOUGH = 5;

    static final Duration LIMIT = Duration.ofMinutes(1);

    static final Duration LIMIT_OF_ONE_THAT_MAY_PASS = Duration.ofMinutes(10);

    /** Between logins that were rejected, after {@link #ENOUGH} of them: a server of accounts may lock one after a number of them. */
    public static final Duration PAUSE = Duration.ofSeconds(60);

    private final Time time;

    /** Of any kind. */
    private int inARow;

    private long firstNanos;

    /** Of the kind of the last one. */
    private int alikeInARow;

    private long firstAlikeNanos;
    private boolean lastMayPass;
    private long deliveredBefore;

    /** Has seen no failure. */
    public LoginFailures(Time time) {
        this.time = time;
    }

    /**
     * Notes that the broker has not admitted the producer, by a connection of its own.
     *
     * @param delivered how many messages the broker has confirmed by now
     * @param mayPass whether the cause may pass also if nothing was ever delivered
     * @return whether it is not worth another attempt
     */
    public boolean isFinal(long delivered, boolean mayPass) {
        long now = time.nanos();
        if (inARow == 0 || delivered != deliveredBefore) {
            inARow = 0;
            alikeInARow = 0;
            firstNanos = now;
            deliveredBefore = delivered;
        }
        if (alikeInARow == 0 || mayPass != lastMayPass) {
            alikeInARow = 0;
            firstAlikeNanos = now;
            lastMayPass = mayPass;
        }
        inARow++;
        alikeInARow++;
        if (delivered == 0 && !mayPass) {
            return true;
        }
        return mayPass
                ? inARow >= ENOUGH && now - firstNanos >= LIMIT_OF_ONE_THAT_MAY_PASS.toNanos()
                : alikeInARow >= ENOUGH && now - firstAlikeNanos >= LIMIT.toNanos();
    }

    /** How long the next login waits at least. */
    public Duration pause() {
        return lastMayPass && alikeInARow >= ENOUGH ? PAUSE : Duration.ZERO;
    }

    /** Notes that something else has failed: the broker may have admitted the producer before, or could not be reached. */
    public void interrupted() {
        inARow = 0;
        alikeInARow = 0;
    }
}
