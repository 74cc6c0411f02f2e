package io.sluice.deployer.command;

/** A call of the control API failed; the message states why, and what to do. */
final class ControlCallException extends Exception {
    private static final long serialVersionUID = 1L;

    ControlCallException(String message) {
        super(message);
    }
}
