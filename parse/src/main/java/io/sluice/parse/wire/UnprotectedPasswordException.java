package io.sluice.parse.wire;

import java.io.IOException;

/** The server asks for the password in a form that could be read on the way; nothing of it was sent. */
public final class UnprotectedPasswordException extends IOException {
    private static final long serialVersionUID = 1L;

    UnprotectedPasswordException(String message) {
        super(message);
    }
}
