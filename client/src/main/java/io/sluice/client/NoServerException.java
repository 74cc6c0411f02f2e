package io.sluice.client;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** No server that runs the destination was found in time; the cause is the last failure, if any. */
public final class NoServerException extends IOException {
    private static final long serialVersionUID = 1L;

    NoServerException(String destination, Duration timeout, @Nullable IOException last) {
        super(
                "no server that runs %s was found within %d ms: %s"
                        .formatted(
                                destination,
                                timeout.toMillis(),
                                last == null ? "none is active" : "the last attempt failed: " + last.getMessage()),
                last);
    }
}
