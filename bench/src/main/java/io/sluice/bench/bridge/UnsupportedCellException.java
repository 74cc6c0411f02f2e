package io.sluice.bench.bridge;

import java.io.IOException;

/** A bridge does not support the format or the routing of a cell. */
public final class UnsupportedCellException extends IOException {
    private static final long serialVersionUID = 1;

    UnsupportedCellException(String message) {
        super(message);
    }
}
