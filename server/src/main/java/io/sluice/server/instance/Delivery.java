package io.sluice.server.instance;

import io.sluice.connector.api.deliver.SenderStatus;
import io.sluice.server.pull.PullClients;
import java.time.Duration;
import java.util.Optional;

/** Takes an instance's entries out of its store: a sender to a broker, or clients that pull. */
interface Delivery {
    /** Begins; called once. */
    void start();

    /**
     * Takes nothing more out of the store, and finishes what is in flight.
     *
     * @param limit how long that may take
     * @return whether it has come to its end, and nothing that has left can still arrive
     */
    boolean stop(Duration limit) throws InterruptedException;

    /**
     * Lets nothing more leave, not even what is in flight.
     *
     * @return whether it has come to its end, and nothing that has left can still arrive
     */
    boolean abandon() throws InterruptedException;

    /** Frees what it holds, after a stop, when the store and the cursors are closed. */
    void close();

    /** The status of the sender; empty if clients pull. */
    default Optional<SenderStatus> senderStatus() {
        return Optional.empty();
    }

    /** The clients that pull; empty if a sender sends. */
    default Optional<PullClients> pullClients() {
        return Optional.empty();
    }
}
