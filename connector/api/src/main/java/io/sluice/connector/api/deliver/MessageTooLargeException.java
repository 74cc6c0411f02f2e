package io.sluice.connector.api.deliver;

/** A message was not made, since the producer would not take it for its size, or there is no memory for it. */
final class MessageTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MessageTooLargeException(String message) {
        super(message, null, false, false);
    }
}
