package io.sluice.server.pull;

/** Takes what becomes of a get. One of the two methods is called, once, by any thread and without a lock. */
public interface PullAnswer {
    /**
     * Whether anybody still waits. Asked under a lock just before entries are taken, so it must be quick: what is taken for
     * nobody would stay open until a rollback.
     */
    boolean isWanted();

    /** The batch, which may be empty. Call {@link PullClients#sent} when it has left, or never will. */
    void batch(PulledBatch batch);

    /** There is none, and why. */
    void failed(PullException why);
}
