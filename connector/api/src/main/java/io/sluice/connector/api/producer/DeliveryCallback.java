package io.sluice.connector.api.producer;

/**
 * Receives the answer to a message. Exactly one of its methods is called, once for each message, by any thread, also by the
 * sending one before {@code send} returns. Neither blocks, calls the producer, or throws.
 */
public interface DeliveryCallback {
    /** The broker has the message, as durably as it is configured to. */
    void delivered();

    /**
     * The message is not known to be at the broker; it may be there all the same.
     *
     * @param cause not null; what is shown to the operator, with the key to change if there is one; never a secret
     * @param kind what that means for the next attempt; not null
     */
    void failed(Exception cause, FailureKind kind);
}
