package io.sluice.server.instance;

import java.time.Duration;

/** What takes an instance's entries out of its store: a sender to a broker, or clients that pull. */
interface Delivery {
    /** Begins; called once. */
    void start();

    /**
     * Takes nothing more out of the store, and finishes what is on its way.
     *
     * @param limit how long that may take
     * @return whether it has come to its end
     */
    boolean stop(Duration limit) throws InterruptedException;

    /**
     * Lets nothing more leave, not even what is on its way.
     *
     * @return whether it has come to its end
     */
    boolean abandon() throws InterruptedException;

    /** Frees what it holds, after a stop, when the store and the cursors are closed. */
    void close();
}
