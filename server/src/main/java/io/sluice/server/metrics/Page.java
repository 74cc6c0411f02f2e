package io.sluice.server.metrics;

import java.io.IOException;

/** A page of the port. Asked by one thread; must not wait. */
@FunctionalInterface
interface Page {
    /**
     * Makes it.
     *
     * @param accepted what the reader's Accept header says; blank if it says nothing
     */
    HttpResponse make(String accepted) throws IOException;
}
