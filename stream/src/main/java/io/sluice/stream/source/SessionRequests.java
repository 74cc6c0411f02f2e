package io.sluice.stream.source;

import org.jspecify.annotations.Nullable;

/**
 * What other threads have requested of a session: to leave its host, or to end. They set it before they abort what the session waits for; the thread that
 * reads asks for it.
 */
final class SessionRequests {
    private volatile boolean aborted;

    /** The reason why another host was requested; null if none was. */
    private volatile @Nullable String switchReason;

    /** Requests the end, which is final. */
    void abort() {
        aborted = true;
    }

    boolean isAborted() {
        return aborted;
    }

    /** Requests that the host is left with the next step. */
    void switchHost(String why) {
        switchReason = why;
    }

    /** Whether it is requested to leave the host, and that was not taken yet. */
    boolean isSwitchRequested() {
        return switchReason != null;
    }

    /** Takes the request to leave the host; null if there is none. By the thread that reads. */
    @Nullable String takeSwitch() {
        String reason = switchReason;
        if (reason != null) {
            switchReason = null;
        }
        return reason;
    }
}
