package io.sluice.admin.fleet.control;

import java.io.IOException;

/** A failure whose message is for operators. */
final class NamedFailure extends IOException {
    private static final long serialVersionUID = 1L;

    NamedFailure(String message) {
        super(message);
    }
}
