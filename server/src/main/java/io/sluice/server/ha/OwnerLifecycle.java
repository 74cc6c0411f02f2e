package io.sluice.server.ha;

import io.sluice.server.ha.Coordinator.Trace;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what an owner does, from its election until the destination is left to others.
 *
 * <pre>
 *   Succeeding  waits until the former owner is silent, and starts the service -> Serving
 *               the lease is lost, or the candidacy ends -> Releasing
 *               the service cannot start: abandons it -> Releasing
 *   Serving     the lease is lost: abandons the service -> Releasing
 *               the service has failed, another server should run it, or the candidacy ends: stops it -> Releasing
 *   Releasing   leaves the destination, until that is accepted, or of no use any more -> Over
 * </pre>
 *
 * <p>With the release it reports that it is silent, if that is true: the service has ended, nothing that it has sent can still arrive, and
 * it had waited for the owner before. Otherwise the next owner waits as for one that has died.
 *
 * <p>As a {@link Candidate}, it has no thread and no clock of its own.
 */
final class OwnerLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerLifecycle.class);

    /** How long what is in flight may take when the destination is left to another server. */
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Parts parts;
    private final Won won;
    private State state = new Succeeding();

    /** Whether all former owners are known to be silent. Only then may it be reported that this one and they are. */
    private boolean succeeded;

    /** Whether the next owner may find a lease of an owner before this one, which is longer than the own one. */
    private volatile boolean hasLongerLease;

    /** Whether something that the service has sent may still arrive. */
    private boolean isDoubtful;

    /** Why an owner has left the destination to others. */
    enum Outcome {
        /** The lease ran out, as the session has ended or ZooKeeper could not be reached. */
        LOST,
        /** The lease was lost, and the session was not: an operator has revoked it, or this process has stopped for long. */
        TAKEN_AWAY,
        /** The service cannot run here. */
        FAILED,
        /** By a decision of this server. */
        LEFT
    }

    OwnerLifecycle(Parts parts, Won won) {
        this.parts = parts;
        this.won = won;
        this.hasLongerLease = won.written().compareTo(won.lease().length()) > 0;
        parts.renewal().hold(won, parts.coordinator());
    }

    /** Why it is over; empty while it is not. */
    Optional<Outcome> outcome() {
        return state instanceof Over over ? Optional.of(over.outcome()) : Optional.empty();
    }

    /** Whether its service runs. */
    boolean isServing() {
        return state instanceof Serving;
    }

    boolean isHeld() {
        return won.lease().isHeld();
    }

    long epoch() {
        return won.lease().epoch();
    }

    /**
     * Does the next thing.
     *
     * @param close if the candidacy ends: how long what is in flight may take
     */
    Wait step(Optional<Duration> close) {
        try {
            return state.step(close);
        } catch (Throwable e) { // also an Error: without a next step nothing would end the service
            LOG.error("a step of the owner failed: instance={} epoch={}", parts.destination(), epoch(), e);
            lose("a step failed");
            return Wait.forTime(RETRY);
        }
    }

    /** Ends the service at once, where no step can be made any more, and leaves the destination to others if ZooKeeper answers. */
    void abandon() {
        won.lease().revoke("the candidate died");
        parts.renewal().drop(won);
        endAtOnce();
        var unused = parts.coordinator().release(won, false);
    }

    /** The state, for messages. */
    @Override
    public String toString() {
        return state.getClass().getSimpleName();
    }

    private sealed interface State {
        Wait step(Optional<Duration> close);
    }

    private Wait become(State next) {
        state = next;
        return Wait.NONE;
    }

    /** Waits for what comes first: a change, the time to renew the lease, its end, or a given time. */
    private Wait waitAtMost(Duration longest) {
        Duration shortest = longest;
        for (Duration other :
                new Duration[] {won.lease().renewalPeriod(), won.lease().remaining()}) {
            shortest = other.compareTo(shortest) < 0 ? other : shortest;
        }
        return Wait.forChange(shortest);
    }

    /** Asks whether the win still counts. The answer can only end the lease; it is the heartbeat that extends it. */
    private void look() {
        parts.renewal().step();
        var unused = parts.coordinator()
                .lossOf(won)
                .thenAccept(loss -> loss.ifPresent(reason -> {
                    won.lease().revoke(reason);
                    parts.changed().run();
                }));
    }

    private final class Succeeding implements State {
        private @Nullable Question<Trace> asked;
        private @Nullable Succession succession;

        @Override
        public Wait step(Optional<Duration> close) {
            if (close.isPresent() || won.lease().lossReason() != null) {
                return become(new Releasing(close.isPresent() ? Outcome.LEFT : Outcome.LOST));
            }
            look();
            Optional<Duration> wait = won.former().flatMap(this::waitFor);
            return wait.isPresent() ? waitAtMost(wait.get()) : start();
        }

        /** How long to wait for the former owner before the next step; empty if it is silent. */
        private Optional<Duration> waitFor(FormerOwner former) {
            Question<Trace> trace =
                    asked == null ? parts.ask(parts.coordinator().trace(won)) : asked;
            asked = trace;
            try {
                if (!trace.isAnswered()) {
                    return Optional.of(RETRY);
                }
                asked = null;
                Duration left = trace.answer().released() ? Duration.ZERO : remaining(former, trace.answer());
                return left.isZero() ? Optional.empty() : Optional.of(left);
            } catch (Exception e) {
                LOG.debug("nothing is known of the former owner yet: instance={}", parts.destination(), e);
                asked = null;
                return Optional.of(RETRY);
            }
        }

        private Duration remaining(FormerOwner former, Trace first) {
            Succession begun = succession;
            if (begun == null) {
                begun = new Succession(former, first, parts.renewal().heartbeatAges(), parts.time());
                succession = begun;
                LOG.info(
                        "the former owner has not reported its end: instance={} epoch={} waitMs={}",
                        parts.destination(),
                        epoch(),
                        begun.remaining().toMillis());
            }
            return begun.remaining();
        }

        private Wait start() {
            if (won.lease().lossReason() != null) {
                return Wait.NONE;
            }
            succeeded = true;
            if (hasLongerLease) {
                writeOwnLease();
            }
            try {
                parts.service().start(parts.coordinator().term(won));
                parts.logAsDestination();
                return become(new Serving());
            } catch (Throwable e) { // also an Error, as when no thread can be started
                parts.logAsDestination();
                LOG.error("the destination cannot run here: instance={} epoch={}", parts.destination(), epoch(), e);
                endAtOnce();
                return fail();
            }
        }
    }

    /** Is not waited for: without it the next owner only waits longer than it has to. */
    private void writeOwnLease() {
        var unused = parts.coordinator().writeOwnLease(won).whenComplete((nothing, failure) -> {
            if (failure == null) {
                hasLongerLease = false;
            } else {
                LOG.debug(
                        "a longer lease of a former owner stays in force: instance={} epoch={}",
                        parts.destination(),
                        epoch(),
                        failure);
            }
        });
    }

    /** How long the next owner waits, unless it learns that this one is silent. */
    private Duration waitOfNext() {
        return (hasLongerLease ? won.written() : won.lease().length()).plus(Succession.MARGIN);
    }

    private final class Serving implements State {
        private final Balance balance =
                new Balance(parts.destination(), parts.address(), parts.balanceDelay(), parts.time());

        @Override
        public Wait step(Optional<Duration> close) {
            String reason = won.lease().lossReason();
            if (reason != null) {
                return lose(reason);
            }
            Optional<Wait> end = parts.service().hasFailed() ? stopFailed() : Optional.empty();
            if (end.isPresent()) {
                return end.get();
            }
            if (close.isPresent() || balance.isOthers() && parts.service().isBalanced()) {
                stop(close.orElse(STOP_LIMIT));
                return become(new Releasing(Outcome.LEFT));
            }
            look();
            if (balance.isUsed()) {
                var unused = parts.coordinator().candidates().thenAccept(balance::note);
            }
            return waitAtMost(won.lease().length());
        }
    }

    private Wait lose(String reason) {
        won.lease().revoke(reason);
        LOG.warn(
                "this server does not own the destination any more, it stops at once: instance={} epoch={} reason={}",
                parts.destination(),
                epoch(),
                reason);
        endAtOnce();
        LOG.info("nothing is sent here any more: instance={} epoch={}", parts.destination(), epoch());
        return become(new Releasing(parts.coordinator().isInSession(won) ? Outcome.TAKEN_AWAY : Outcome.LOST));
    }

    /** Gives others a chance that can run it, perhaps. */
    private Wait fail() {
        won.lease().revoke("it was given up after a failure");
        var unused = parts.coordinator().withdraw();
        return become(new Releasing(Outcome.FAILED));
    }

    private void stop(Duration limit) {
        try {
            isDoubtful |= !parts.service().stop(limit);
            parts.logAsDestination();
        } catch (Throwable e) {
            endUnstopped(e);
        }
    }

    /** Returns what follows the stop; empty if it was not stopped, since it has been started again meanwhile. */
    private Optional<Wait> stopFailed() {
        try {
            Optional<Boolean> isSilent = parts.service().stopIfFailed();
            parts.logAsDestination();
            isDoubtful |= !isSilent.orElse(true);
            if (isSilent.isEmpty()) {
                return Optional.empty();
            }
        } catch (Throwable e) {
            endUnstopped(e);
            return Optional.of(fail());
        }
        String reason = won.lease().lossReason(); // a restart that was under way has been waited for
        return Optional.of(reason == null ? fail() : lose(reason));
    }

    private void endUnstopped(Throwable failure) {
        won.lease().revoke("its service did not stop");
        parts.logAsDestination();
        LOG.error("an instance did not stop in good order: instance={}", parts.destination(), failure);
        isDoubtful = true;
        endAtOnce();
    }

    private void endAtOnce() {
        try {
            isDoubtful |= !parts.service().abandon();
            parts.logAsDestination();
        } catch (Throwable e) {
            isDoubtful = true;
            parts.logAsDestination();
            LOG.error("an instance did not end in good order: instance={}", parts.destination(), e);
        }
    }

    private final class Releasing implements State {
        private final Outcome outcome;
        private final long begin = parts.time().nanos();
        private Question<Void> asked;
        private boolean failed;
        private long failedAt;

        Releasing(Outcome outcome) {
            this.outcome = outcome;
            parts.renewal().drop(won);
            if (isDoubtful) {
                LOG.info(
                        "something that was sent may still arrive, so the next owner waits: instance={} epoch={} waitMs={}",
                        parts.destination(),
                        epoch(),
                        waitOfNext().toMillis());
            }
            this.asked = ask();
        }

        private Question<Void> ask() {
            return parts.ask(parts.coordinator().release(won, succeeded && !isDoubtful));
        }

        @Override
        public Wait step(Optional<Duration> close) {
            if (failed) {
                Duration left = RETRY.minusNanos(parts.time().nanos() - failedAt);
                if (!left.isNegative() && !left.isZero() && close.isEmpty()) {
                    return Wait.forTime(left);
                }
                asked = ask();
                failed = false;
            }
            try {
                if (!asked.isAnswered()) {
                    return asked.untilAnswered();
                }
                asked.answer();
                LOG.info(
                        "the destination is left to others: instance={} epoch={} cause={}",
                        parts.destination(),
                        epoch(),
                        outcome);
                return become(new Over(outcome));
            } catch (Exception e) {
                LOG.debug("a destination was not released: instance={} epoch={}", parts.destination(), epoch(), e);
            }
            if (close.isPresent() || isOfNoUse()) {
                return become(new Over(outcome));
            }
            failed = true;
            failedAt = parts.time().nanos();
            return Wait.forTime(RETRY);
        }

        /** A next owner has waited long enough by now. */
        private boolean isOfNoUse() {
            return parts.time().nanos() - begin > waitOfNext().toNanos();
        }
    }

    private record Over(Outcome outcome) implements State {
        @Override
        public Wait step(Optional<Duration> close) {
            return Wait.NONE;
        }
    }
}
