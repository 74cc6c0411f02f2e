package io.sluice.client;

import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.time.Duration;

/**
 * Pulls the changes of one destination.
 *
 * <pre>{@code
 * try (PullClient client = PullClient.connect(ClientOptions.of("localhost", 11111, "shop"))) {
 *     client.subscribe("shop\\..*");
 *     while (true) {
 *         ChangeBatch batch = client.getWithoutAck(1000, Duration.ofSeconds(1));
 *         for (TableChange change : batch.changes()) {
 *             ...
 *         }
 *         client.ack(batch);
 *     }
 * }
 * }</pre>
 *
 * <p>What was got and not acked is handed out again when a client of the same id connects, or the id unsubscribes: delivery is at least once. A client of
 * one server ({@link #connect}) is of no use after an {@link IOException}: close it, and connect again. One that follows its
 * destination ({@link #follow}) connects again by itself.
 *
 * <p>For one thread. Only {@link #close} may be called by others; what the one thread waits for ends with an exception.
 */
public interface PullClient extends AutoCloseable {
    /**
     * Connects to one server, logs in, and gives back what an earlier connection of the same client has left unacked.
     *
     * @throws ServerRefusedException if user or password are wrong
     */
    static PullClient connect(ClientOptions options) throws IOException {
        ServerConnection connection = new ServerConnection(options);
        connection.open(options.timeout());
        return connection;
    }

    /**
     * Makes a client that finds its destination among several servers, and follows it when it moves: it connects again,
     * subscribes again, and what was not acked comes again. It connects when it is first used.
     *
     * @param options whose host and port do not count, see {@link ClientOptions#of(String)}
     * @param servers where to look; for this client alone, and closed with it
     * @param timeout how long a call looks for a server before it fails with a {@link NoServerException}; more than 0. Only the search counts:
     *     pauses, connecting with login and subscription, and requests that fail at a server found by this call, beyond the time that they
     *     let it wait. No such step counts for more than half of it, so that a server that hangs leaves time for another
     * @throws IllegalArgumentException if the timeout is 0 or less; the finder is closed then
     * @throws IllegalStateException if the finder is that of another client
     */
    static PullClient follow(ClientOptions options, ServerFinder servers, Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            servers.close();
            throw new IllegalArgumentException("a timeout of " + timeout);
        }
        return new FollowingClient(options, servers, timeout, Time.SYSTEM);
    }

    /**
     * Subscribes to changes.
     *
     * @param filter the tables, as regular expressions of {@code schema.table} separated by commas; it counts for all clients
     *     of the destination. Empty leaves the filter in force, and the one that this client restores after it has connected again
     */
    void subscribe(String filter) throws IOException;

    /**
     * Ends the subscription, and deletes the cursor. A Sluice server keeps the cursor and the filter of the last client that leaves, so that
     * one that subscribes later continues there; {@code sluice.sh cursor delete} deletes that cursor.
     */
    void unsubscribe() throws IOException;

    /** Gets what is there, which may be nothing; {@code size} as below. */
    ChangeBatch getWithoutAck(int size) throws IOException;

    /**
     * Gets a full batch, or what is there when the time has passed, which may be nothing.
     *
     * @param size the size of a full batch: KiB as the server is shipped, or entries; at least 1
     * @param longest how long the server may wait; less than a millisecond counts as one, and more than 24 days as that. Sluice waits
     *     for half of {@code canal.tcp.idle.timeout} at most, which is 30 minutes as it is shipped
     */
    ChangeBatch getWithoutAck(int size, Duration longest) throws IOException;

    /**
     * Confirms a batch: it never comes again. Batches are acked in the order in which they came; an empty one needs no ack,
     * and gets none. If the server rejects it, the next request fails.
     *
     * <p>A client that follows its destination does nothing for a batch that it got over a connection which is lost: its
     * changes come again. It knows a batch by its identity, so it does nothing for a copy either: pass the object that the get returned.
     */
    void ack(ChangeBatch batch) throws IOException;

    /** Rolls back: everything that was not acked is delivered again. */
    void rollback() throws IOException;

    /** Closes the connection. What was not acked comes again. Closing twice does nothing. */
    @Override
    void close() throws IOException;
}
