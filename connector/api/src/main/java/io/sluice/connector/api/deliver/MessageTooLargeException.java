package io.sluice.connector.api.deliver;

/** A message was not made, since it would be too large for the producer or for the heap. */
final class MessageTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MessageTooLargeException(String message) {
        super(message, null, false, false);
    }
}
