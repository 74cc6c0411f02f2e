package io.sluice.server.ha;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What the decisions about one destination ask of the service that coordinates the servers.
 *
 * <p>An answer may be there when the call returns, or come later, or never. An answer that failed gives no information on what the
 * question has done: it may have taken effect, and may still do so. Answers are as of the time of the question or later,
 * except where a method states otherwise. Called by one thread at a time.
 */
public interface Coordinator {
    /** Has the task run when an answer of before may have become outdated; without a guarantee, so it is asked again anyway. */
    void onChange(Runnable task);

    /** Whether a server is known to the others as one that could run the destination. */
    enum Registration {
        /** It is a candidate, and gets its share. */
        CANDIDATE,
        /** It is a candidate while no other session owns the destination: it gets it from no other. */
        IF_FREE,
        NONE;

        /**
         * Whether it is registered.
         *
         * @param isTaken whether another session owns the destination
         */
        public boolean isDue(boolean isTaken) {
            return this == CANDIDATE || this == IF_FREE && !isTaken;
        }
    }

    /**
     * Whether another session owns the destination. Registers this server as a candidate or removes the registration, as it should be, and
     * removes the ownership that this session has left. The answer may be outdated.
     */
    CompletableFuture<Boolean> isTaken(Registration registration);

    /** Removes the registration as a candidate. */
    CompletableFuture<Void> withdraw();

    /** The possible owners of each destination; may be outdated. */
    CompletableFuture<Candidates> candidates();

    /** Tries to become the owner; empty if another server was faster. */
    CompletableFuture<Optional<Won>> tryToWin();

    /** What is left of the owner before a win, as of the win or later. */
    CompletableFuture<Trace> trace(Won won);

    /**
     * Has the next owner find this one's own lease, instead of a longer one of an owner before it, unless it is elected already. Only for an
     * owner that knows that all before it are silent.
     */
    CompletableFuture<Void> writeOwnLease(Won won);

    /**
     * Why a win does not count any more; empty if it does. As of all answers that its session was given before, but a server
     * that is cut off from the others may give an outdated answer.
     */
    CompletableFuture<Optional<String>> lossOf(Won won);

    /**
     * Leaves the destination to others, if this win still counts.
     *
     * @param silent whether nothing of this owner and all before it can arrive any more, so that the next one need not wait
     */
    CompletableFuture<Void> release(Won won, boolean silent);

    /** Whether this server is connected, with the session by which it has won. */
    boolean isInSession(Won won);

    /** The time in which this server runs the destination. */
    OwnershipTerm term(Won won);

    /**
     * The possible owners of each destination.
     *
     * @param destinations all destinations
     * @param servers the candidates for this one
     */
    record Candidates(List<String> destinations, List<String> servers) {}

    /**
     * What is left of a former owner.
     *
     * @param released whether it has reported that nothing of it, and of all before it, can arrive any more
     * @param beat its newest heartbeat; 0 if it has none
     */
    record Trace(boolean released, long beat) {}
}
