package io.sluice.deployer;

import java.time.Duration;
import java.util.List;

/** The server with all its instances, as the launcher sees it. */
interface RunningServer {
    /**
     * Waits until each instance reads its source, waits for what it needs, or has failed, or until the server has ended.
     *
     * @param limit how long at most
     * @return whether the server has not ended
     */
    boolean awaitStart(Duration limit) throws InterruptedException;

    /** Waits until it has ended, because it was stopped or because it cannot continue. */
    void awaitTermination() throws InterruptedException;

    /** What an operator must know of its start, a line each: what does not work although it runs. */
    List<String> problems();

    /** Why instances have failed, a line each. */
    List<String> failures();

    /** Ends it. A second call does nothing. */
    void stop(Duration limit);

    /** Which instances the stop could not end in good order, as when the newest cursors could not be written, and why, a line each. */
    List<String> endProblems();
}
