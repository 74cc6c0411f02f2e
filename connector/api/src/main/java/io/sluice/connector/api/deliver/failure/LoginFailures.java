package io.sluice.connector.api.deliver.failure;

import io.sluice.protocol.time.Time;
import java.time.Duration;

/**
 * Decides how long logins are tried that a broker rejects, for all kinds of brokers. A rejection that may pass, since the broker does not tell a server that is down from an account that is wrong, or a
 * certificate may be renewed, is tried for as long as that of a source, whether the broker has admitted the producer before or not. One that only an operator can change is final at once, unless the broker has admitted the
 * producer, or has rejected it for a reason that may pass just before. For the sender's thread.
 */
public final class LoginFailures {
    /** The number of failures in a row that are final, if they have also lasted for {@link #LIMIT}. */
    public static final int ENOUGH = 5;

    static final Duration LIMIT = Duration.ofMinutes(1);

    static final Duration LIMIT_OF_ONE_THAT_MAY_PASS = Duration.ofMinutes(10);

    /** After a login that was rejected, from the one on that makes {@link #ENOUGH} of them: a server of accounts may lock one after a number of them. */
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

    /** Logins that were rejected for a reason that may pass since the broker has confirmed something, whatever has failed between: of these accounts are locked. */
    private int rejected;

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
        }
        if (delivered != deliveredBefore) {
            rejected = 0;
            deliveredBefore = delivered;
        }
        if (alikeInARow == 0 || mayPass != lastMayPass) {
            alikeInARow = 0;
            firstAlikeNanos = now;
            lastMayPass = mayPass;
        }
        inARow++;
        alikeInARow++;
        rejected += mayPass ? 1 : 0;
        if (delivered == 0 && !mayPass && alikeInARow == inARow) {
            return true;
        }
        return mayPass
                ? inARow >= ENOUGH && now - firstNanos >= LIMIT_OF_ONE_THAT_MAY_PASS.toNanos()
                : alikeInARow >= ENOUGH && now - firstAlikeNanos >= LIMIT.toNanos();
    }

    /** How long the next login waits at least. */
    public Duration pause() {
        return inARow > 0 && lastMayPass && rejected >= ENOUGH ? PAUSE : Duration.ZERO;
    }

    /** Notes that something else has failed: the broker may have admitted the producer before, or could not be reached. */
    public void interrupted() {
        inARow = 0;
        alikeInARow = 0;
    }
}
