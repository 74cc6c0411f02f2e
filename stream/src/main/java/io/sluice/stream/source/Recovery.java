package io.sluice.stream.source;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.stream.failure.MidTransactionException;
import io.sluice.stream.failure.StreamException;
import io.sluice.stream.source.server.DumpError;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.stream.source.server.SourceHost;
import java.io.EOFException;

/**
 * Determines how a session continues after a failure, or after a request to leave its host: has the failure diagnosed, tells the {@link Locator} what that says
 * of the position, and has the {@link FailureReactions} decide.
 *
 * <p>The thread that reads calls it, when the phase that has failed has released what it held; any thread may call {@link #abort}.
 */
final class Recovery {
    private final SessionRequests requests;
    private final Locator locator;
    private final FailureDiagnosis diagnosis;
    private final FailureReactions reactions;
    private final AbandonedDump abandoned;

    Recovery(
            SessionRequests requests,
            Locator locator,
            FailureDiagnosis diagnosis,
            FailureReactions reactions,
            AbandonedDump abandoned) {
        this.requests = requests;
        this.locator = locator;
        this.diagnosis = diagnosis;
        this.reactions = reactions;
        this.abandoned = abandoned;
    }

    /** Determines what follows a failure of a host. */
    Transition after(SourceHost host, Throwable thrown) {
        if (thrown instanceof ServerErrorException || thrown instanceof EOFException) {
            abandoned.ended();
        }
        if (requests.isSwitchRequested() && !losesRows(thrown)) {
            return Transition.STAY; // the connection was aborted for that: the next step leaves the host
        }
        if (thrown instanceof MidTransactionException within && locator.relocateBefore(within.position())) {
            return new Transition.Connect(host);
        }
        if (thrown instanceof ServerErrorException error && DumpError.of(error) == DumpError.NO_GTIDS) {
            locator.stopUsingGtids();
        }
        FailureDiagnosis.Diagnosis found = diagnosis.diagnose(host, thrown);
        if (requests.isAborted()) {
            return new Transition.End(host, new SourceState.Stopped());
        }
        switch (found.position()) {
            case UNKNOWN -> {}
            case OF_THE_SERVER -> locator.endRelocation();
            case OF_ANOTHER_SERVER -> locator.relocateByTime();
        }
        return react(host, FailureClassifier.of(found.cause()), found.cause());
    }

    /** Whether rows that were read, and count as read, could not be kept: no other host sends them again. */
    private static boolean losesRows(Throwable thrown) {
        return thrown instanceof StreamException failed
                && (failed.failure() == SourceFailure.XA_NOT_HELD
                        || failed.failure() == SourceFailure.TRANSACTION_NOT_HELD);
    }

    private Transition react(SourceHost host, SourceFailure failure, Throwable cause) {
        locator.failed(host, cause);
        FailureReactions.Next next = reactions.after(host, failure, cause);
        if (next instanceof FailureReactions.Next.Reconnect again) {
            return new Transition.Connect(again.host());
        }
        if (next instanceof FailureReactions.Next.BackOff off) {
            return new Transition.BackOff(host, failure, cause, off.delay());
        }
        if (next instanceof FailureReactions.Next.Switch to) {
            return new Transition.SwitchHost(host, to.host(), failure, cause, to.delay());
        }
        return new Transition.End(host, new SourceState.Failed(host.login().address(), failure, cause));
    }

    /** Leaves a host that has not failed by itself. */
    Transition.SwitchHost leave(SourceHost host, String why) {
        SourceFailure failure = SourceFailure.UNREACHABLE;
        SourceException cause = new SourceException(failure, why);
        locator.failed(host, cause);
        FailureReactions.Next.Switch next = reactions.leave(host, failure, cause);
        return new Transition.SwitchHost(host, next.host(), failure, cause, next.delay());
    }

    /** Ends what a server is asked, also later, from any thread. */
    void abort() {
        diagnosis.abort();
    }
}
