package io.sluice.stream.source;

import io.sluice.mysql.failure.Reaction;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.time.Backoff;
import io.sluice.protocol.time.Time;
import io.sluice.stream.source.search.LostEndException;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.SourceHosts;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides, and logs, what is done after a failure of a source: by its {@link SourceFailure} alone, but for a server id that is used twice, see {@link
 * DuplicateIds}, and a purged binlog if an operator has allowed to lose it.
 *
 * <p>For one thread, but for {@link #isServerIdInDoubleUse} and {@link #resets}.
 */
final class FailureReactions {
    private static final Logger LOG = LoggerFactory.getLogger(FailureReactions.class);
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(500);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(20);

    private final String instance;
    private final boolean mayReset;
    private final SourceHosts hosts;
    private final Runnable toNewest;
    private final Consumer<LostEndException> pastLostEnd;
    private final Backoff backoff;
    private final DuplicateIds duplicateIds;
    private final AtomicLong resets = new AtomicLong();
    /** The last host whose binlog has lost the end of a file since one was read; null if none has. */
    private @Nullable LostEndAt lostEnd;

    private record LostEndAt(SourceHost host, LostEndException failure) {}

    /**
     * @param mayReset whether an operator has allowed to continue at the newest position if the binlog was purged, or after a file whose end is lost
     * @param toNewest has the next attempt continue there
     * @param pastLostEnd has the next attempt continue after a file whose end is lost; by time, if that is probably one of another server
     */
    FailureReactions(
            String instance,
            boolean mayReset,
            SourceHosts hosts,
            Runnable toNewest,
            Consumer<LostEndException> pastLostEnd,
            Time time,
            RandomGenerator random) {
        this.instance = instance;
        this.mayReset = mayReset;
        this.hosts = hosts;
        this.toNewest = toNewest;
        this.pastLostEnd = pastLostEnd;
        this.backoff = new Backoff(FIRST_BACKOFF, LONGEST_BACKOFF, random);
        this.duplicateIds = new DuplicateIds(time);
    }

    /** What is done next. */
    sealed interface Next {
        /** Nothing: the source cannot be read any more. */
        record End() implements Next {}

        /** A host is read again at once, elsewhere. */
        record Reconnect(SourceHost host) implements Next {}

        /** The host is read again after a wait. */
        record BackOff(Duration delay) implements Next {}

        /** Another host is read, after a wait if there is one. */
        record Switch(SourceHost host, Duration delay) implements Next {}
    }

    /**
     * Notes that the source has sent what is new: only then waits and failures are counted from the beginning.
     *
     * @param sinceNanos when the dump was begun, by the monotonic clock
     */
    void onProgress(long sinceNanos) {
        hosts.recordSuccess();
        lostEnd = null;
        duplicateIds.reads(sinceNanos);
        if (!duplicateIds.isRecent()) { // else the waits grow, so that the other replica can be ended meanwhile
            backoff.reset();
        }
    }

    /** Decides after a failure of a host. */
    Next after(SourceHost host, SourceFailure failure, Throwable cause) {
        if (failure != SourceFailure.DUPLICATE_SERVER_ID) {
            duplicateIds.lost();
        }
        if (cause instanceof LostEndException lost) {
            lostEnd = new LostEndAt(host, lost);
        } else if (failure == SourceFailure.PURGED) {
            forgetLostEndOf(host);
        }
        boolean isLast = failure == SourceFailure.DUPLICATE_SERVER_ID && duplicateIds.isOneTooMany();
        boolean left = !isLast && !FailureClassifier.isOfProcess(cause) && hosts.failed(failure);
        boolean stops = isLast || failure.reaction() == Reaction.STOP;
        if (stops || hosts.areAllGivenUp()) {
            boolean continues = !stops && mayReset && (continuesPastLostEnd() || resetsToNewest(cause));
            return continues ? new Next.Reconnect(hosts.current()) : giveUp(host, failure, cause);
        }
        Duration wait = left && !hosts.areAllFailing() ? Duration.ZERO : backoff.next();
        return left ? switchFrom(host, failure, cause, wait) : retry(host, failure, cause, wait);
    }

    /** Its files are others now. */
    private void forgetLostEndOf(SourceHost host) {
        LostEndAt lost = lostEnd;
        if (lost != null && lost.host().equals(host)) {
            lostEnd = null;
        }
    }

    /** Decides where to continue if a host is left that has not failed by itself. */
    Next.Switch leave(SourceHost host, SourceFailure failure, Throwable cause) {
        hosts.leave();
        duplicateIds.lost();
        return switchFrom(host, failure, cause, hosts.areAllFailing() ? backoff.next() : Duration.ZERO);
    }

    private Next giveUp(SourceHost host, SourceFailure failure, Throwable cause) {
        LOG.error(
                "the source cannot be read any more: instance={} host={} failure={} cause={} remedy={}",
                instance,
                address(host),
                failure.spelling(),
                FailureClassifier.message(cause),
                FailureClassifier.remedy(cause),
                cause);
        return new Next.End();
    }

    private Next retry(SourceHost host, SourceFailure failure, Throwable cause, Duration wait) {
        LOG.warn(
                "the source cannot be read, trying again: instance={} host={} failure={} in_ms={} cause={} remedy={}",
                instance,
                address(host),
                failure.spelling(),
                wait.toMillis(),
                FailureClassifier.message(cause),
                FailureClassifier.remedy(cause));
        return new Next.BackOff(wait);
    }

    private Next.Switch switchFrom(SourceHost left, SourceFailure failure, Throwable cause, Duration wait) {
        SourceHost next = hosts.current();
        LOG.warn(
                "switching to another host: instance={} from={} to={} failure={} in_ms={} cause={} remedy={}",
                instance,
                address(left),
                address(next),
                failure.spelling(),
                wait.toMillis(),
                FailureClassifier.message(cause),
                FailureClassifier.remedy(cause));
        return new Next.Switch(next, wait);
    }

    /** Chooses a host that has lost the end of a file, to continue after it: unlike the newest position, that skips nothing which the host has. */
    private boolean continuesPastLostEnd() {
        LostEndAt lost = lostEnd;
        if (lost == null || !hosts.chooseGivenUp(lost.host())) {
            return false;
        }
        lostEnd = null;
        pastLostEnd.accept(lost.failure());
        if (lost.failure().isProbablyOfAnotherServer()) {
            return true; // by time, which is logged when a position is found
        }
        if (!lost.failure().isCertain()) {
            resets.incrementAndGet();
        }
        LOG.error(
                "the position is beyond the end of its binlog file, continuing at another position, because"
                        + " canal.auto.reset.latest.pos.mode=true is set: instance={} host={} start={} cause={}",
                instance,
                address(lost.host()),
                lost.failure().start(),
                lost.failure().getMessage());
        return true;
    }

    /** Chooses a host whose binlog was purged, to continue at its newest position. */
    private boolean resetsToNewest(Throwable cause) {
        if (!hosts.chooseGivenUpFor(SourceFailure.PURGED)) {
            return false;
        }
        toNewest.run();
        resets.incrementAndGet();
        LOG.error(
                "CHANGES ARE LOST: the binlog was purged, continuing at its newest position, because"
                        + " canal.auto.reset.latest.pos.mode=true is set: instance={} cause={}",
                instance,
                cause.getMessage());
        return true;
    }

    /** Whether another replica uses the server id of this replica at present, as far as is known. */
    boolean isServerIdInDoubleUse() {
        return duplicateIds.isInDoubleUse();
    }

    /** How often it was decided to continue at the newest position because the binlog was purged. */
    long resets() {
        return resets.get();
    }

    private static ServerAddress address(SourceHost host) {
        return host.login().address();
    }
}
