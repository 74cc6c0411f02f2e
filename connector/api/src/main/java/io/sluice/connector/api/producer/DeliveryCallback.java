package io.sluice.connector.api.producer;

/**
 * Learns what became of a record. Exactly one of its methods is called, once for each record, by any thread, also by the
 * sending one before {@code send} returns. Neither blocks.
 */
public interface DeliveryCallback {
    /** The broker has the record, as durably as it is configured to. */
    void delivered();

    /**
     * The record is not known to be at the broker; it may be there all the same.
     *
     * @param kind what that says of the next attempt
     */
    void failed(Exception cause, FailureKind kind);
}
