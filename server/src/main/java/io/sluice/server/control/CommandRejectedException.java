package io.sluice.server.control;

/** A command cannot be carried out now; the message says why, and what to do. */
public final class CommandRejectedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CommandRejectedException(String message) {
        super(message);
    }

    public CommandRejectedException(String message, Throwable cause) {
        super(message, cause);
    }
}
