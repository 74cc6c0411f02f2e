package io.sluice.deployer;

import java.time.Duration;

/** The server with all its instances, as the launcher sees it. */
interface RunningServer {
    /** Waits until it has ended, because it was stopped or because it cannot continue. */
    void awaitTermination() throws InterruptedException;

    /** Ends it. A second call does nothing. */
    void stop(Duration limit);
}
