package io.sluice.testkit.debian;

import org.opentest4j.TestAbortedException;

/**
 * A server cannot be had now: no network, not a Debian, or its package is gone from the archive.
 *
 * <p>JUnit counts a test that throws it as skipped, with the message as the reason.
 */
public final class ServerUnavailableException extends TestAbortedException {
    private static final long serialVersionUID = 1;

    /** Says what cannot be had, and why. */
    public ServerUnavailableException(String message) {
        super(message);
    }
}
