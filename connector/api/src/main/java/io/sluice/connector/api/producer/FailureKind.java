package io.sluice.connector.api.producer;

/**
 * What a failure says of the next attempt. {@link #TOO_LARGE} and {@link #REFUSED} are said of a message only if the fault is
 * surely its own, and not that of one beside which it was sent: the instance may be told to leave such a message out.
 */
public enum FailureKind {
    /** It may go well the next time: the broker is gone, slow, or has no leader. What is not known is of this kind. */
    PASSING,
    /** The broker does not take a message of this size. */
    TOO_LARGE,
    /** The broker takes no such message for another reason that lies in it or its topic: its name, a missing right. */
    REFUSED,
    /** No message can be sent: wrong credentials or options, a later owner, a closed producer. */
    BROKEN;

    /** Whether the fault lies in this one message, so that others may pass. */
    public boolean isOfTheMessage() {
        return this == TOO_LARGE || this == REFUSED;
    }
}
