package io.sluice.server.pull;

/** Receives the outcome of a get. One of the two methods is called, once, by any thread and without a lock. */
public interface PullAnswer {
    /**
     * Whether the client still waits. Called under a lock just before entries are taken, so it must be quick: a batch that is taken
     * for a client that has left would stay open until a rollback.
     */
    boolean isWanted();

    /** The batch, which may be empty. Call {@link PullClients#sent} when it has left, or never will. */
    void batch(PulledBatch batch);

    /** There is no batch. */
    void failed(PullException why);
}
