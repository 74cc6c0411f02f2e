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
     * Connects to one server, logs in, and rolls back what an earlier connection of the same client has left unacked.
     *
     * @throws RequestRejectedException if user or password are wrong
     * @throws IOException if the server cannot be reached, or does not answer a step within {@link ClientOptions#timeout}. No connection is left
     *     open
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
     * @param options the host and port are ignored, see {@link ClientOptions#of(String)}
     * @param servers finds the server; for this client alone, and closed with it
     * @param timeout how long a call looks for a server before it fails with a {@link NoServerException}; more than 0. Only the search counts:
     *     back-offs, connecting with login and subscription, and requests that fail at a server found by this call, beyond the time that they
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
     * Subscribes to changes. They are delivered from the client's cursor; a new client begins at the cursor of the instance, or, at an instance without
     * one, where the stream begins.
     *
     * @param filter the tables, as regular expressions of {@code schema.table} separated by commas, as in {@code canal.instance.filter.regex}; it
     *     counts for all clients of the destination. Empty leaves the filter in force, and the one that this client restores after it
     *     has connected again; not null
     * @throws RequestRejectedException if the filter cannot be read or is not safe to match, or this server does not run the destination
     * @throws NoServerException of a following client, if no server was found in time
     */
    void subscribe(String filter) throws IOException;

    /**
     * Ends the subscription, and deletes the cursor. A Sluice server keeps the cursor and the filter of the last client that leaves, so that
     * one that subscribes later continues there; {@code sluice.sh cursor delete} deletes that cursor.
     *
     * @throws RequestRejectedException if the server rejects it
     * @throws NoServerException of a following client, if no server was found in time
     */
    void unsubscribe() throws IOException;

    /**
     * Gets what is there, which may be nothing.
     *
     * @param size the most of a batch: KiB as the server is shipped, or entries; at least 1
     * @throws IllegalArgumentException if the size is less than 1
     * @throws RequestRejectedException if the server rejects it, as without a subscription, or has rejected the ack or rollback before it
     * @throws NoServerException of a following client, if no server was found in time
     */
    ChangeBatch getWithoutAck(int size) throws IOException;

    /**
     * Gets a full batch, or what is there when the time has passed, which may be nothing.
     *
     * @param size the size of a full batch: KiB as the server is shipped, or entries; at least 1
     * @param longest how long the server may wait; less than a millisecond counts as one, and more than 24 days as that. Sluice waits
     *     for half of {@code canal.tcp.idle.timeout} at most, which is 30 minutes as it is shipped
     * @throws IllegalArgumentException if the size is less than 1
     * @throws RequestRejectedException if the server rejects it, as without a subscription, or has rejected the ack or rollback before it
     * @throws NoServerException of a following client, if no server was found in time
     */
    ChangeBatch getWithoutAck(int size, Duration longest) throws IOException;

    /**
     * Confirms a batch: it never comes again. Batches are acked in the order in which they came; an empty one needs no ack,
     * and gets none. The server does not answer an ack. If it rejects one, of a batch that is not the client's oldest or that the client
     * does not have (one of another client or of an earlier connection), nothing is acked, and the next request fails with a
     * {@link RequestRejectedException}.
     *
     * <p>A client that follows its destination does nothing for a batch that it got over a connection which is lost: its
     * changes come again. It knows a batch by its identity, so it does nothing for a copy either: pass the object that the get returned.
     */
    void ack(ChangeBatch batch) throws IOException;

    /** Rolls back: everything that was not acked is delivered again. The server does not answer; if it rejects this, the next request fails. */
    void rollback() throws IOException;

    /** Closes the connection. What was not acked comes again. Closing twice does nothing. */
    @Override
    void close() throws IOException;
}
