package io.sluice.connector.api.attempt;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.PreparedBatch;
import java.time.Duration;
import java.util.List;

/**
 * A connection to a broker, for one {@link Attempt}. Thread-safe.
 *
 * <p>It answers each message that it has taken exactly once, by the message's callback. If that is a failure it first
 * {@link Attempt#halt halts} or {@link Attempt#end ends} the attempt. A client that continues after a failed message must be kept
 * from it: the connection ends the attempt on the thread that learns of the failure, or checks {@link Attempt#failure} under the
 * lock under which its client fails messages. A {@link #send} that has waited checks it once more: a message before may have failed meanwhile.
 */
public interface BrokerConnection {
    /**
     * Takes a message, or throws; then the callback is not called. Ownership has been checked just before. May block for a bounded
     * time, to connect or while buffers are full.
     *
     * @throws Exception if the message is not taken, which halts the attempt; classified by {@link Broker#classify}
     */
    void send(Message message, DeliveryCallback callback) throws Exception;

    /**
     * Takes the messages of a batch that {@link Broker#prepare} has made, or none of them. Ownership has been checked just before.
     * May block for a bounded time.
     *
     * @param callbacks one for each message, in their order
     * @return false if it has taken none: each is given to {@link #send(Message, DeliveryCallback)} then, which finds the one at fault
     */
    default boolean send(PreparedBatch batch, List<? extends DeliveryCallback> callbacks) {
        return false;
    }

    /** Sends what is buffered, and waits until each message taken so far is answered. */
    void flush() throws InterruptedException;

    /**
     * Like {@link #flush}, at most so long. No other message comes.
     *
     * @param limit zero if it must not wait
     */
    void settle(Duration limit) throws InterruptedException;

    /**
     * Sends nothing more, and answers all that is not answered, here or soon, as passing failures. Called once at most, by any
     * thread, also by a client's own: so it waits for nothing.
     */
    void cut(Exception cause);

    /**
     * Called before messages are sent again, by this connection or the next one, when all it had taken is answered: returns when
     * nothing of that can be stored after what is sent next. May wait for a bounded time.
     *
     * @throws RuntimeException if that is not certain yet; nothing is sent until the next restart
     */
    default void prepareRestart() {}
}
