package io.sluice.connector.api.deliver;

/** Called when a sender ends by a failure. */
@FunctionalInterface
public interface SenderListener {
    /**
     * The sender has ended, and what it had not acked is rolled back. Called once at most, by the sender's thread as the
     * last thing it does; must not stop the sender and wait for it.
     */
    void senderFailed(Throwable cause);
}
