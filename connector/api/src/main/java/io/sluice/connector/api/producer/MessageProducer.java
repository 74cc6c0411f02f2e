package io.sluice.connector.api.producer;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * Sends messages to one broker.
 *
 * <p>Once a message has failed, those after it fail too, until {@link #restart}: a broker that is reachable again must not take
 * them before the failed one, or its readers would see the later change first.
 *
 * <p>A producer keeps the order of a partition over all failures of its life: what was handed over before a restart is not
 * stored after what is handed over later, even if it is still on its way to the broker. If that needs an identity at the broker,
 * such as a name or an id, the producer keeps it over {@link #abandon} and {@link #restart}. Thread-safe.
 */
public interface MessageProducer extends AutoCloseable {
    /**
     * Takes a message for sending and returns before it is sent; may block for a bounded time while its buffers are full.
     * Messages of one thread for one (topic, partition) arrive in the order of these calls, and without a gap: those after
     * one that failed do not arrive.
     *
     * <p>The thread that calls is also the one that notices that the broker does not answer, {@linkplain #abandon abandons} what is not answered and
     * {@linkplain #checkOwnership checks} the ownership, all of it between two calls: while one blocks, none of that happens. Half a second keeps it
     * timely; a client that may block for longer, as Kafka's does for {@code max.block.ms}, delays it for as long.
     *
     * <p>Whatever goes wrong comes to {@code callback}, never as an exception. If the thread is interrupted while it waits, the
     * message fails, and the thread stays interrupted.
     */
    void send(Message message, DeliveryCallback callback);

    /**
     * Up to how many bytes of entries are worth {@linkplain #prepare preparing} together; zero if this producer prepares nothing,
     * because it gathers messages by itself, and zero once is zero always.
     *
     * <p>A producer that prepares sends what it is given at once. Its caller should gather entries while earlier batches are not
     * answered.
     */
    default int preparedBytes() {
        return 0;
    }

    /**
     * Does the part of sending that needs no order, such as encoding and compressing. Called by several threads at once, and only if
     * {@link #preparedBytes} is positive. Nothing is sent, and nothing is waited for: the threads are those in which the messages of all instances of
     * the server are made.
     *
     * @param messages at least one, all with values; not changed any more
     * @return to be handed to {@link #send(PreparedBatch, List)} of this producer, at most once; has as many messages, in the same order
     */
    default PreparedBatch prepare(List<Message> messages) {
        return () -> messages;
    }

    /**
     * Takes the messages of a batch that this producer has prepared, as if {@link #send(Message, DeliveryCallback)} were called for
     * each in turn.
     *
     * @param callbacks one for each message, in their order
     */
    default void send(PreparedBatch batch, List<? extends DeliveryCallback> callbacks) {
        List<Message> messages = batch.messages();
        for (int i = 0; i < messages.size(); i++) {
            send(messages.get(i), callbacks.get(i));
        }
    }

    /**
     * How many partitions a topic has, as the broker states, for routes that choose partitions by the broker's count. May ask
     * the broker and wait for a bounded time.
     *
     * @return the number that the topic will have if the first message makes it; empty if the broker knows no partitions, so that rows are
     *     spread as the rules state
     * @throws PartitionsUnknownException if the broker cannot be asked now, has no such topic, or does not answer this user
     */
    default OptionalInt partitionsOf(String topic) {
        return OptionalInt.empty();
    }

    /**
     * Announces over how many partitions a topic's messages are spread, before the first of them. A producer that makes topics
     * makes it with so many; others do nothing. Does not wait.
     *
     * @param partitions at least 1
     */
    default void announce(String topic, int partitions) {}

    /**
     * The size up to which a value is not rejected for its size by this producer, in bytes: at least 1, and always the same. The broker may
     * have less, which is {@link FailureKind#TOO_LARGE} then.
     */
    int maxValueBytes();

    /**
     * Sends what is buffered at once, and waits until each message taken so far was delivered or failed.
     *
     * @throws InterruptedException if the thread was interrupted while it waited
     */
    void flush() throws InterruptedException;

    /**
     * Takes messages again after one has failed. All that the caller had handed over has been answered, and hands over
     * again, in the order of the first time, what is to arrive still: in each partition what failed, and what was after that, be it
     * delivered or not; perhaps without some that were rejected. If none has failed, nothing happens.
     */
    void restart();

    /**
     * Abandons what was taken and not answered, since the broker does not answer: all of that fails soon, as
     * {@link FailureKind#PASSING}, and nothing is taken until {@link #restart}. Some of it may be stored nevertheless, but not after
     * what is handed over after the restart.
     */
    void abandon();

    /**
     * Abandons what was taken and not answered, as {@link #abandon} does, if this process does not own the destination any more: what is
     * still to be sent must not follow what the next owner sends. To be called often; does nothing while the destination is owned, and in
     * a producer of which the broker takes nothing once the next owner has begun.
     */
    default void checkOwnership() {}

    /**
     * Waits at most so long for what was taken, fails the rest, and frees what it holds. Nothing is taken any more. Closing twice does nothing.
     *
     * <p>If the thread is interrupted, it waits no longer, and the thread stays interrupted. The server calls it on a thread of its own, waits ten seconds
     * longer than the limit, and then leaves it: the stop of the instance ends with an error.
     *
     * @param longest zero to wait for nothing
     */
    void close(Duration longest);

    /** Closes with a limit of 30 seconds. */
    @Override
    default void close() {
        close(Duration.ofSeconds(30));
    }
}
