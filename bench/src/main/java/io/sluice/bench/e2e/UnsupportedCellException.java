package io.sluice.bench.e2e;

import java.io.IOException;

/** A bridge does not support the format or the routing of a cell. */
final class UnsupportedCellException extends IOException {
    private static final long serialVersionUID = 1;

    UnsupportedCellException(String message) {
        super(message);
    }
}
