package io.sluice.server.metrics;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** A page of the port. Asked by one thread; must not wait. */
@FunctionalInterface
interface Page {
    /**
     * Makes it. What it completes with later may be completed by any thread.
     *
     * @param accepted what the reader accepts, by its request
     */
    CompletableFuture<HttpResponse> make(Accepted accepted) throws IOException;
}
