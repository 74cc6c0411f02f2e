package io.sluice.client;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** No server that runs the destination was found in time; the cause is the last failure, if any. */
public final class NoServerException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the failure of a search.
     *
     * @param whyNone why there was no attempt, if there was none
     * @param last why the last attempt failed; null if there was none
     */
    NoServerException(String destination, Duration timeout, String whyNone, @Nullable IOException last) {
        super(
                "no server that runs %s was found within %d ms: %s"
                        .formatted(
                                destination,
                                timeout.toMillis(),
                                last == null ? whyNone : "the last attempt failed: " + last.getMessage()),
                last);
    }
}
