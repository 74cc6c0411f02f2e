package io.sluice.server.control;

/** There is no instance of a name; the message says which there are. */
public final class UnknownDestinationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnknownDestinationException(String message) {
        super(message);
    }
}
