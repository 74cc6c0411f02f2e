package io.sluice.server.pull;

import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A get that found nothing worth taking. Guarded by the lock of its {@link PullClients}. */
final class WaitingGet {
    final PullRequest request;
    final PullAnswer answer;

    /** Its time-out; null if it waits without limit, or is not set yet. */
    @Nullable Future<?> timeout;

    WaitingGet(PullRequest request, PullAnswer answer) {
        this.request = request;
        this.answer = answer;
    }

    void cancelTimeout() {
        if (timeout != null) {
            timeout.cancel(false);
        }
    }
}
