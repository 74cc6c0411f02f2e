package io.sluice.connector.api.deliver;

/** The state of a sender. */
public enum SenderState {
    /** It was not started yet. */
    NEW,
    /** It delivers, or waits for entries. */
    RUNNING,
    /** A delivery failed; it waits until the broker has answered for the messages that are still in flight. */
    SETTLING,
    /** A delivery failed; it continues after a back-off. */
    BACKING_OFF,
    /** It was requested to stop, and finishes what is in flight. */
    STOPPING,
    /** It has stopped, as requested. */
    STOPPED,
    /** It ended by a failure. */
    FAILED
}
