package io.sluice.client;

import java.io.IOException;

/** The server did not do what it was asked for, and said why. The connection can be used on, unless it was the login. */
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
}
