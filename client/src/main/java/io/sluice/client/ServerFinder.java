package io.sluice.client;

import java.util.Optional;

/**
 * Finds the server that runs a destination. Thread-safe; none of the calls waits long.
 */
public interface ServerFinder extends AutoCloseable {
    /**
     * The server to try now; empty if none is known. Called again after a failure, it may name the same one, or the next of
     * those that are possible.
     */
    Optional<ServerAddress> find();

    /** Whether a server that a client is connected to has been followed by another one. */
    boolean isReplaced(ServerAddress server);

    /** Why {@link #find} names no server, as the end of a sentence: the message of a {@link NoServerException} has it. */
    default String whyNone() {
        return "none is known";
    }

    /**
     * Calls the listener, on any thread, whenever the answers may have changed. A finder has one listener, so it is for one client.
     *
     * @throws IllegalStateException if it has one already; not from a finder that never calls it
     */
    void onChange(Runnable listener);

    /** Ends the search. Closing twice does nothing. */
    @Override
    void close();
}
