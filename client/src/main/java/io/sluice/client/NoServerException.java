package io.sluice.client;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** No server could be found in time that runs the destination; the cause is what went wrong last, if anything. */
public final class NoServerException extends IOException {
    private static final long serialVersionUID = 1L;

    NoServerException(String destination, Duration patience, @Nullable IOException last) {
        super(
                "no server that runs %s was found within %d ms: %s"
                        .formatted(
                                destination,
                                patience.toMillis(),
                                last == null ? "none is active" : "the last attempt failed: " + last.getMessage()),
                last);
    }
}
