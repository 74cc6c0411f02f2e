package io.sluice.testkit.canal;

/** The client threw; the message is what it said. */
public final class ClientRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ClientRefusedException(String message) {
        super(message);
    }
}
