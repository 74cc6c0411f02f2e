package io.sluice.testkit.canal;

/** The client threw; this has its message. */
public final class ClientRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ClientRefusedException(String message) {
        super(message);
    }
}
