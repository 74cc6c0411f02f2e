package io.sluice.client;

import io.sluice.protocol.wire.Rejection;
import java.io.IOException;
import java.util.Optional;

/** The server rejected a request; the message has its reason. */
public final class RequestRejectedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int code;
    private final Optional<Rejection> rejection;

    RequestRejectedException(int code, String message) {
        super(message + " (code " + code + ")");
        this.code = code;
        this.rejection = Rejection.of(message);
    }

    /** Returns the code: 400 for failures of any kind, 401 and 402 if the request lacks a name or a number. */
    public int code() {
        return code;
    }

    /**
     * Whether a retry, at this or another server, would fail in the same way.
     *
     * @param subscribesAgain whether it would begin with the subscription of the client
     */
    boolean isFinal(boolean subscribesAgain) {
        return rejection
                .filter(why -> why != Rejection.NOT_SUBSCRIBED || !subscribesAgain)
                .isPresent();
    }
}
