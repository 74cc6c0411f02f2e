package io.sluice.bench.e2e;

import java.io.IOException;

/** A bridge has no records of the form that it was asked for, or cannot spread them so. */
final class UnsupportedCellException extends IOException {
    private static final long serialVersionUID = 1;

    UnsupportedCellException(String message) {
        super(message);
    }
}
