package io.sluice.parse.source;

import java.io.IOException;

/** A server does not have all the transactions that were read already: it has not caught up, or never will. */
final class HostBehindException extends IOException {
    private static final long serialVersionUID = 1L;

    HostBehindException(String what) {
        super(what);
    }
}
