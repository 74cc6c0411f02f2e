package io.sluice.server.ha;

import java.time.Duration;

/** What a server does with a destination that it owns. Called by one thread at a time. */
public interface Service {
    /**
     * Begins; comes back when it runs.
     *
     * @throws Exception if it cannot run here now; another server gets the destination then
     */
    void start(OwnershipTerm term) throws Exception;

    /**
     * Ends in good order, while the destination is still ours.
     *
     * @param limit how long what is in flight may take
     * @return whether nothing that was sent since the start can still arrive
     */
    boolean stop(Duration limit);

    /**
     * Ends at once, for the destination is not ours any more: nothing more is delivered, and nothing written.
     *
     * @return whether nothing that was sent since the start can still arrive
     */
    boolean abandon();

    /** Whether it has ended by itself and cannot continue. */
    boolean hasFailed();

    /** Whether it is left to another server that should run it, so that every server has its share; else it stays where it is. */
    default boolean isBalanced() {
        return true;
    }

    /**
     * Is told that the service that coordinates the servers does not answer, so that it is not known whether this may run here. Once until it
     * answers again; must not wait.
     */
    default void isUncoordinated(Throwable cause) {}
}
