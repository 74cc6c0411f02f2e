package io.sluice.connector.api.attempt;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One connection, from its start to the failure that makes it useless.
 *
 * <pre>
 *   OPEN ──halt──▶ HALTED ──end──▶ ENDED
 *    ▲ │             │               ▲
 *    │ └─────────────┼──────end──────┘
 *    └────resume─────┘
 * </pre>
 *
 * <p>Every method preserves:
 *
 * <ul>
 *   <li>{@link #failure} is null exactly while the attempt is open, and otherwise what failed first since then;
 *   <li>a message is handed to the connection only while the attempt is open, so none that follows a failed one;
 *   <li>the connection is cut once, when the attempt ends, and after the failure is visible; an ended attempt stays so.
 * </ul>
 *
 * <p>While it is halted, what was taken before the failure is still sent and answered. Thread-safe; the
 * failure is read without a lock.
 */
public final class Attempt {
    private final Object changing = new Object();

    /** Null until it is made, which may be after the attempt has ended. */
    private volatile @Nullable BrokerConnection connection;

    /** Written under {@code changing}. */
    private volatile @Nullable Exception failure;

    @GuardedBy("changing") private boolean ended;

    /** Written under {@code changing}; never true of an attempt that is discarded. */
    private volatile boolean used;

    @GuardedBy("changing") private boolean discarded;

    /** Begins one, by a connection of its own, which is made here: see {@link Broker#connect}. */
    public Attempt(Function<Attempt, BrokerConnection> connect) {
        BrokerConnection made = connect.apply(this);
        Exception cause;
        synchronized (changing) {
            connection = made;
            cause = ended ? failure : null;
        }
        if (cause != null) {
            made.cut(cause);
        }
    }

    BrokerConnection connection() {
        return Objects.requireNonNull(connection, "it is made by the constructor");
    }

    /** What failed first; null if nothing has, and messages are taken. */
    public @Nullable Exception failure() {
        return failure;
    }

    /**
     * Takes nothing more; what was taken before continues.
     *
     * @return whether the cause is what failed first
     */
    public boolean halt(Exception cause) {
        synchronized (changing) {
            if (failure == null) {
                failure = cause;
            }
            return failure == cause;
        }
    }

    /** Takes nothing more, and fails what is not answered. Ending twice does nothing. */
    public void end(Exception cause) {
        BrokerConnection last;
        synchronized (changing) {
            if (failure == null) {
                failure = cause;
            }
            if (ended) {
                return;
            }
            ended = true;
            last = connection;
        }
        if (last != null) { // else it is cut when it is made
            last.cut(cause);
        }
    }

    /** Whether it has ended, or is being ended. */
    public boolean hasEnded() {
        synchronized (changing) {
            return ended;
        }
    }

    /**
     * Notes that its failure, if it has one, is told: a message was given to it, or it was asked for partitions that it could not
     * state.
     *
     * @return whether it does so; not if it was discarded
     */
    boolean use() {
        synchronized (changing) {
            used = !discarded;
            return used;
        }
    }

    /** Gives it up for another one, whose messages none that is given to this one may precede; returns whether it does: not if it was used. */
    boolean discard() {
        synchronized (changing) {
            discarded = !used;
            return discarded;
        }
    }

    /** Takes it back, since there is no other one. */
    void keep() {
        synchronized (changing) {
            discarded = false;
        }
    }

    boolean isUsed() {
        return used;
    }

    /** Takes messages again if it was only halted; returns whether it does. */
    boolean resume() {
        synchronized (changing) {
            if (!ended) {
                failure = null;
            }
            return !ended;
        }
    }

    /** Notes why nothing can be sent yet, which explains more than the first failure. */
    void setFailure(Exception cause) {
        synchronized (changing) {
            failure = cause;
        }
    }
}
