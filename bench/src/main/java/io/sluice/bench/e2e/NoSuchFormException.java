package io.sluice.bench.e2e;

import java.io.IOException;

/** A bridge has no records of the form that it was asked for, or cannot lay them out so. */
final class NoSuchFormException extends IOException {
    private static final long serialVersionUID = 1;

    NoSuchFormException(String message) {
        super(message);
    }
}
