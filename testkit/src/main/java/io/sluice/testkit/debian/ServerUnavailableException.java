package io.sluice.testkit.debian;

import org.opentest4j.TestAbortedException;

/**
 * A server is not available now: no network, not a Debian, or its package is no longer in the archive.
 *
 * <p>JUnit counts a test that throws it as skipped, with the message as the reason.
 */
public final class ServerUnavailableException extends TestAbortedException {
    private static final long serialVersionUID = 1;

    /** Reports what is not available, and why. */
    public ServerUnavailableException(String message) {
        super(message);
    }
}
