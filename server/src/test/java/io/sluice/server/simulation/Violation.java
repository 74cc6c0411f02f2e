package io.sluice.server.simulation;

/** A violated promise. */
final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
        super(message);
    }
}
