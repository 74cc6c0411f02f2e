package io.sluice.server.ha;

import java.time.Duration;
import java.util.Optional;

/** What a server does with a destination that it owns. Called by one thread at a time. */
public interface Service {
    /**
     * Begins; comes back when it runs.
     *
     * @throws Exception if it cannot run here now; another server gets the destination then
     */
    void start(OwnershipTerm term) throws Exception;

    /**
     * Ends in good order, while this server still owns the destination.
     *
     * @param limit how long what is in flight may take
     * @return whether nothing that was sent since the start can still arrive
     */
    boolean stop(Duration limit);

    /**
     * Ends at once, since this server does not own the destination any more: nothing more is delivered, and nothing written.
     *
     * @return whether nothing that was sent since the start can still arrive
     */
    boolean abandon();

    /** Whether it has ended by itself and cannot continue. */
    boolean hasFailed();

    /**
     * Ends at once what has failed, while this server still owns the destination, unless it was started again since {@link #hasFailed} was asked.
     *
     * @return empty if it was; else whether nothing that was sent since the start can still arrive
     */
    default Optional<Boolean> stopIfFailed() {
        return hasFailed() ? Optional.of(stop(Duration.ZERO)) : Optional.empty();
    }

    /** Whether it is left to another server that should run it, so that every server has its share; else it stays where it is. */
    default boolean isBalanced() {
        return true;
    }

    /**
     * Called when it cannot be decided whether this may run here, as when ZooKeeper does not answer. Not again for the
     * same obstacle until it can be decided; must not wait.
     */
    default void isUncoordinated(Obstacle obstacle) {}
}
