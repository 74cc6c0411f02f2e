package io.sluice.connector.api.attempt;

/** A message was not sent for a reason that is not its own. It has no stack trace: many messages may fail at once. */
public final class NotSentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private NotSentException(String message, Exception cause) {
        super(message, cause, false, false);
    }

    /** Not sent, for a reason that is stated. */
    public NotSentException(String reason) {
        super("not sent: " + reason, null, false, false);
    }

    /** Sent now, a message would come before one that failed, or that was not sent either. */
    public static NotSentException after(Exception failure) {
        if (failure instanceof NotSentException same) {
            return same;
        }
        return new NotSentException("not sent: an earlier message failed: " + failure, failure);
    }

    /** Whether it is of {@link #after}, so that what failed before has an exception of its own. */
    public boolean isAfterFailure() {
        return getCause() != null;
    }

    /** This process may no longer be the destination's owner. */
    public static NotSentException notOwned() {
        return new NotSentException("ownership of the destination is not confirmed");
    }

    /** The sender has abandoned the attempt. */
    public static NotSentException abandoned() {
        return new NotSentException("abandoned: the broker does not answer");
    }

    /** The producer was closed. */
    public static NotSentException closed() {
        return new NotSentException("the producer was closed");
    }
}
