package io.sluice.connector.api.deliver.failure;

/** A message was not made, since it would be too large for the producer or for the heap. */
public final class MessageTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Without a stack trace: it is a result. */
    public MessageTooLargeException(String message) {
        super(message, null, false, false);
    }
}
