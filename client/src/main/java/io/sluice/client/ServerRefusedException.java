package io.sluice.client;

import io.sluice.protocol.wire.Refusal;
import java.io.IOException;

/** The server rejected a request; the message has its reason. */
public final class ServerRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int code;
    private final boolean isFinal;

    ServerRefusedException(int code, String message) {
        super(message + " (code " + code + ")");
        this.code = code;
        this.isFinal = Refusal.of(message).isPresent();
    }

    /** 400 for failures of any kind, 401 and 402 if something was not named. */
    public int code() {
        return code;
    }

    /** Whether a retry, at this or another server, would fail in the same way. */
    boolean isFinal() {
        return isFinal;
    }
}
