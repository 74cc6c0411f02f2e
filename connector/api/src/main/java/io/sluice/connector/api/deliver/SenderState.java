package io.sluice.connector.api.deliver;

/** What a sender does. */
public enum SenderState {
    /** It was not started yet. */
    NEW,
    /** It delivers, or waits for entries. */
    RUNNING,
    /** A delivery failed; it waits until the broker has answered for the records that are still in flight. */
    SETTLING,
    /** A delivery failed; it pauses before it continues. */
    BACKING_OFF,
    /** It was told to stop and finishes what is in flight. */
    STOPPING,
    /** It was told to stop and did. */
    STOPPED,
    /** It ended by itself. */
    FAILED
}
