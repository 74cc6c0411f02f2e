package io.sluice.testkit.canal;

import org.opentest4j.TestAbortedException;

/**
 * A client cannot be had now: no interpreter, or no network.
 *
 * <p>JUnit counts a test that throws it as skipped, with the message as the reason.
 */
public final class ClientUnavailableException extends TestAbortedException {
    private static final long serialVersionUID = 1;

    ClientUnavailableException(String message) {
        super(message);
    }
}
