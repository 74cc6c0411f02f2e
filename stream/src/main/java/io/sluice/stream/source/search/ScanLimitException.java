package io.sluice.stream.source.search;

import java.io.IOException;

/** Thrown if what is looked up in a binlog takes more than is allowed for it. */
public final class ScanLimitException extends IOException {
    private static final long serialVersionUID = 1L;

    ScanLimitException(String message) {
        super(message);
    }
}
