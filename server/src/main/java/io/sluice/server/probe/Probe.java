package io.sluice.server.probe;

import io.sluice.connector.api.probe.Findings;

/** Tries one server. */
@FunctionalInterface
interface Probe {
    /**
     * Tries it; failures of the server are findings.
     *
     * @throws InterruptedException if the thread was interrupted because the time is over
     */
    void run(Findings findings) throws InterruptedException;
}
