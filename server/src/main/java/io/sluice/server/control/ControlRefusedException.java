package io.sluice.server.control;

/** A command cannot be carried out now; the message says why, and what to do. */
public final class ControlRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ControlRefusedException(String message) {
        super(message);
    }

    public ControlRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
