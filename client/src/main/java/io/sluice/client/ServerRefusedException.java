package io.sluice.client;

import java.io.IOException;

/** The server did not do what it was asked for, and said why. */
public final class ServerRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int code;

    ServerRefusedException(int code, String message) {
        super(message + " (code " + code + ")");
        this.code = code;
    }

    /** 400 for failures of any kind, 401 and 402 if something was not named. */
    public int code() {
        return code;
    }

    /** Whether another server, or the same one later, would say no other. */
    boolean isFinal() {
        String message = String.valueOf(getMessage());
        return message.startsWith("auth failed")
                || message.contains("the filter is refused")
                || message.contains("should subscribe first");
    }
}
