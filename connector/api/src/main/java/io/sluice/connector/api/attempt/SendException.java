package io.sluice.connector.api.attempt;

import io.sluice.connector.api.producer.FailureKind;

/** Why a broker's module cannot send a message, and what that means for the next attempt. */
public final class SendException extends Exception {
    private static final long serialVersionUID = 1L;

    private final FailureKind kind;
    private final boolean isToBeSentOnceMore;

    /**
     * A failure with a cause in the broker's client.
     *
     * @param message what is shown to the operator, with the key to change if there is one; never a secret
     */
    public SendException(FailureKind kind, String message, Throwable cause) {
        this(kind, message, cause, false);
    }

    private SendException(FailureKind kind, String message, Throwable cause, boolean isToBeSentOnceMore) {
        super(message, cause);
        this.kind = kind;
        this.isToBeSentOnceMore = isToBeSentOnceMore;
    }

    /** A failure that is found without the broker's client. */
    public SendException(FailureKind kind, String message) {
        super(message);
        this.kind = kind;
        this.isToBeSentOnceMore = false;
    }

    /**
     * One that passes, of a message of which nothing is known before the broker has answered it once more. It is no failure, so a sender sends the message
     * again without a back-off; once, so that a producer that fails it so each time is not asked without end.
     */
    public static SendException onceMore(String message, Throwable cause) {
        return new SendException(FailureKind.PASSING, message, cause, true);
    }

    /** What it means for the next attempt. */
    public FailureKind kind() {
        return kind;
    }

    /** Whether it is of {@link #onceMore}. */
    public boolean isToBeSentOnceMore() {
        return isToBeSentOnceMore;
    }
}
