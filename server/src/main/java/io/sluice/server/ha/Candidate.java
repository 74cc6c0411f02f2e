package io.sluice.server.ha;

import io.sluice.protocol.time.Backoff;
import io.sluice.server.ha.Coordinator.Candidates;
import io.sluice.server.ha.Coordinator.Registration;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides for one server and one destination when to try to own it. Has no thread and no clock of its own: each {@link #step}
 * does the next thing, and returns what the step after it waits for.
 *
 * <pre>
 *   Looking      asks whether there is an owner
 *                yes, or the destination is not wanted: -> Waiting, and Looking again after a change, or some seconds; after a failure
 *                of the service it is no candidate meanwhile, so that the owner does not leave the destination to it
 *                no: -> Yielding, or after that -> Campaigning
 *   Yielding     waits half a second for each candidate that should be faster -> Looking
 *   Campaigning  tries to become the owner: won -> Owning, else -> Looking
 *   Owning       see OwnerLifecycle; when it is over
 *                after a failure of the service -> Resting, twice as long after each failure without long service between them
 *                after it was left, or taken away -> Pausing, for others to take it
 *                after the lease was lost in another way -> Looking
 *   Resting      leaves the destination to others for a while, and asks whether one owns it; it is over, or ended by retryNow -> Looking
 *   Pausing      leaves the destination to others for a while -> Looking
 *   Withdrawing  the candidacy ends, from any state but Campaigning and Owning: removes the registration -> Ended
 * </pre>
 *
 * <p>From all states but Owning and Resting, an answer that fails or does not come leads to Looking after a second. {@link #step} is for
 * one thread at a time; the other methods are for any.
 */
public final class Candidate {
    private static final Logger LOG = LoggerFactory.getLogger(Candidate.class);

    /** How long a candidate waits for each that is before it, so that destinations are spread. */
    private static final Duration TURN = Duration.ofMillis(500);

    private static final int MAX_TURNS = 10;

    /** The longest wait for a change; watches tell of it sooner. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    private static final Duration RETRY = Duration.ofSeconds(1);

    /** How long a server leaves a destination to others that was taken away from it, as canal does. */
    private static final Duration DEFERENCE = Duration.ofSeconds(5);

    /** How long a server leaves a destination to others that has failed on it, at most; doubled at every failure in a row. */
    private static final Duration FIRST_REST = Duration.ofSeconds(10);

    private static final Duration LONGEST_REST = Duration.ofSeconds(320);

    /**
     * How long a server takes a destination that has failed on it from no other server, at most: it would not be delivered during each
     * attempt. Doubled when it fails again after that.
     */
    private static final Duration FIRST_RESERVE = Duration.ofHours(1);

    private static final Duration LONGEST_RESERVE = Duration.ofHours(24);

    private final Parts parts;
    private final Coordinator coordinator;
    private final Backoff rests;
    private final Backoff reserves;
    private final Whereabouts whereabouts;
    private State state = new Waiting(() -> new Looking(false));

    /** What has kept this server from deciding since the last decision, as it was told; null if nothing has. */
    private @Nullable Obstacle obstacle;

    /** Whether the obstacle came after a look that was answered, so that another such look does not mean its end. */
    private boolean isObstacleOfElection;

    private volatile boolean wanted;
    private volatile boolean retryNow;
    private volatile Reserve reserve;
    private volatile Optional<Duration> close = Optional.empty();
    private volatile @Nullable OwnerLifecycle lifecycle;

    /** Creates one that does not want the destination yet. */
    public Candidate(Parts parts) {
        this.parts = parts;
        this.coordinator = parts.coordinator();
        this.rests = new Backoff(FIRST_REST, LONGEST_REST, parts.random());
        this.reserves = new Backoff(FIRST_RESERVE, LONGEST_RESERVE, parts.random());
        this.whereabouts = new Whereabouts(parts.time());
        this.reserve = new Reserve(parts.time().nanos(), Duration.ZERO);
        coordinator.onChange(parts.changed());
    }

    /** Wants the destination from now on; until then this server is only known as a candidate. */
    void want() {
        if (!wanted) {
            whereabouts.isWanted();
            wanted = true;
            parts.changed().run();
        }
    }

    /**
     * Has the next steps try at once to own the destination, if it rests after a failure of its service, and this server get its share of
     * the destinations as one on which it has not failed.
     *
     * @return whether there was a failure, and this server does not run it again since
     */
    boolean retryNow() {
        boolean hasFailed = whereabouts.hasFailed();
        if (!hasFailed && !isReserved()) {
            return false;
        }
        retryNow = true;
        parts.changed().run();
        return hasFailed || !isOwner();
    }

    /** That no server is known to run the destination, though this one wants it; empty if one is. */
    Optional<Absence> absence() {
        return wanted && !isClosing() ? whereabouts.absence() : Optional.empty();
    }

    /** Whether it wants the destination. */
    boolean isWanted() {
        return wanted;
    }

    /**
     * Has the next steps end the candidacy: the service is stopped in good order, and the destination left to others.
     *
     * @param limit how long what is in flight may take
     */
    void close(Duration limit) {
        close = Optional.of(limit);
        parts.changed().run();
    }

    boolean isClosing() {
        return close.isPresent();
    }

    /** Whether this server owns the destination. */
    boolean isOwner() {
        OwnerLifecycle now = lifecycle;
        return now != null && now.isHeld();
    }

    /** Ends the service at once, where no step can be made any more, and leaves the destination to others. */
    void abandon() {
        abandonOwned();
        var unused = coordinator.withdraw();
    }

    private void abandonOwned() {
        OwnerLifecycle now = lifecycle;
        lifecycle = null;
        if (now != null) {
            whereabouts.isUnknown();
            now.abandon();
        }
    }

    /** Does the next thing. */
    Wait step() {
        try {
            return state.step();
        } catch (Throwable e) { // also an Error: without a next step the destination would never run here again
            noteAway(e);
            abandonOwned();
            return waitForChange(RETRY, () -> new Looking(false));
        }
    }

    /** The state, for messages. */
    @Override
    public String toString() {
        return state instanceof Owning owning
                ? owning.own.toString()
                : state.getClass().getSimpleName();
    }

    private void noteAway(Throwable cause) {
        whereabouts.isUnknown();
        Obstacle next = Obstacle.of(cause);
        Obstacle known = obstacle;
        if (known != null && next.isAs(known)) {
            return;
        }
        obstacle = next;
        isObstacleOfElection = state instanceof Yielding || state instanceof Campaigning;
        switch (next.kind()) {
            case SILENCE ->
                LOG.warn(
                        "ZooKeeper does not answer, trying again: instance={} cause={}",
                        parts.destination(),
                        String.valueOf(cause));
            case REFUSAL ->
                LOG.warn(
                        "ZooKeeper refuses this server, trying again: instance={} cause={}",
                        parts.destination(),
                        String.valueOf(cause));
            case OTHER ->
                LOG.warn(
                        "it cannot be decided whether the instance may run here, trying again: instance={} cause={}",
                        parts.destination(),
                        String.valueOf(cause),
                        cause); // which may be a fault of ours
        }
        parts.service().isUncoordinated(next);
        parts.logAsDestination();
    }

    private void note(boolean isTaken) {
        if (isTaken || !isObstacleOfElection) {
            noteBack();
        }
        if (isTaken) {
            whereabouts.isElsewhere();
        } else {
            whereabouts.isNowhere();
        }
    }

    private void noteBack() {
        Obstacle known = obstacle;
        if (known == null) {
            return;
        }
        if (known.kind() == Obstacle.Kind.SILENCE) {
            LOG.info("ZooKeeper answers again: instance={}", parts.destination());
        } else {
            LOG.info("it can be decided again whether the instance may run here: instance={}", parts.destination());
        }
        obstacle = null;
    }

    /**
     * The time in which this server takes the destination from no other, as it has failed here.
     *
     * @param begin by the monotonic clock
     */
    private record Reserve(long begin, Duration length) {}

    private boolean isReserved() {
        Reserve now = reserve;
        return since(now.begin()).compareTo(now.length()) < 0;
    }

    private void beReserved() {
        Duration length = isReserved() ? reserve.length() : reserves.next();
        reserve = new Reserve(parts.time().nanos(), length);
    }

    /** Past failures do not matter any more. */
    private void forgetFailures() {
        rests.reset();
        reserves.reset();
        reserve = new Reserve(parts.time().nanos(), Duration.ZERO);
    }

    private Registration registration() {
        if (retryNow) {
            retryNow = false;
            forgetFailures();
        }
        return isReserved() ? Registration.IF_FREE : Registration.CANDIDATE;
    }

    private sealed interface State {
        Wait step() throws Exception;
    }

    private Wait become(State next) {
        state = next;
        return Wait.NONE;
    }

    private Wait waitForChange(Duration longest, Supplier<State> next) {
        state = new Waiting(next);
        return Wait.forChange(longest);
    }

    /** Any step ends it. */
    private final class Waiting implements State {
        private final Supplier<State> next;

        Waiting(Supplier<State> next) {
            this.next = next;
        }

        @Override
        public Wait step() {
            return become(isClosing() ? new Withdrawing() : next.get());
        }
    }

    private final class Pausing implements State {
        private final Duration length;
        private final long begin = parts.time().nanos();

        Pausing(Duration length) {
            this.length = length;
        }

        @Override
        public Wait step() {
            if (isClosing()) {
                return become(new Withdrawing());
            }
            Duration left = length.minusNanos(parts.time().nanos() - begin);
            return left.isNegative() || left.isZero() ? become(new Looking(false)) : Wait.forTime(left);
        }
    }

    /** A pause after a failure of the service. */
    private final class Resting implements State {
        private final Duration length;
        private final long begin = parts.time().nanos();
        private @Nullable Question<Boolean> taken;
        private long asked = begin;

        Resting(Duration length) {
            this.length = length;
            whereabouts.hasFailed(Instant.ofEpochMilli(parts.time().millis()).plus(length));
            retryNow = false;
        }

        @Override
        public Wait step() {
            if (isClosing()) {
                return become(new Withdrawing());
            }
            Duration left = length.minus(since(begin));
            if (retryNow || left.isNegative() || left.isZero()) {
                whereabouts.hasRested();
                return become(new Looking(false));
            }
            look();
            Duration untilLook = taken == null ? LOOK.minus(since(asked)) : LOOK;
            return Wait.forChange(untilLook.compareTo(left) < 0 ? untilLook : left);
        }

        private void look() {
            if (taken == null && since(asked).compareTo(LOOK) >= 0) {
                asked = parts.time().nanos();
                taken = parts.ask(coordinator.isTaken(Registration.NONE));
            }
            try {
                Question<Boolean> question = taken;
                if (question != null && question.isAnswered()) {
                    taken = null;
                    note(question.answer());
                }
            } catch (Exception e) {
                taken = null;
                noteAway(e);
            }
        }
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(parts.time().nanos() - nanos);
    }

    private final class Looking implements State {
        private final Question<Boolean> taken = parts.ask(coordinator.isTaken(registration()));
        private final boolean hasYielded;

        Looking(boolean hasYielded) {
            this.hasYielded = hasYielded;
        }

        @Override
        public Wait step() throws Exception {
            if (isClosing()) {
                return become(new Withdrawing());
            }
            if (!taken.isAnswered()) {
                return taken.untilAnswered();
            }
            boolean isTaken = taken.answer();
            note(isTaken);
            if (!wanted || isTaken) {
                return waitForChange(LOOK, () -> new Looking(false));
            }
            return become(hasYielded ? new Campaigning() : new Yielding());
        }
    }

    private final class Yielding implements State {
        private final Question<Candidates> candidates = parts.ask(coordinator.candidates());

        @Override
        public Wait step() throws Exception {
            if (isClosing()) {
                return become(new Withdrawing());
            }
            if (!candidates.isAnswered()) {
                return candidates.untilAnswered();
            }
            Candidates all = candidates.answer();
            int turn = Shares.turnOf(parts.address(), parts.destination(), all.destinations(), all.servers());
            return turn == 0
                    ? become(new Campaigning())
                    : waitForChange(TURN.multipliedBy(Math.min(turn, MAX_TURNS)), () -> new Looking(true));
        }
    }

    private final class Campaigning implements State {
        private final Question<Optional<Won>> win = parts.ask(coordinator.tryToWin());

        @Override
        public Wait step() throws Exception {
            if (!win.isAnswered()) {
                return win.untilAnswered();
            }
            Optional<Won> won = win.answer();
            noteBack();
            return become(won.isPresent() ? new Owning(won.get()) : new Looking(false));
        }
    }

    private final class Owning implements State {
        private final OwnerLifecycle own;

        /** Since when the service runs; null if it does not yet. */
        private @Nullable Long serving;

        Owning(Won won) {
            LOG.info(
                    "this server owns the destination: instance={} epoch={} address={}",
                    parts.destination(),
                    won.lease().epoch(),
                    parts.address());
            own = new OwnerLifecycle(parts, won);
            lifecycle = own;
        }

        @Override
        public Wait step() {
            Wait wait = own.step(close);
            if (own.isServing()) {
                whereabouts.isHere();
                serving = serving == null ? Long.valueOf(parts.time().nanos()) : serving;
            }
            Optional<OwnerLifecycle.Outcome> outcome = own.outcome();
            if (outcome.isEmpty()) {
                return wait;
            }
            lifecycle = null;
            whereabouts.isNowhere();
            if (serving != null && since(serving).compareTo(Whereabouts.STEADY) >= 0) {
                forgetFailures();
            }
            return become(next(outcome.get()));
        }

        private State next(OwnerLifecycle.Outcome outcome) {
            return switch (outcome) {
                case LOST -> new Looking(false);
                case TAKEN_AWAY -> new Pausing(DEFERENCE);
                case FAILED -> {
                    beReserved();
                    yield new Resting(rest());
                }
                case LEFT -> {
                    forgetFailures();
                    yield new Pausing(DEFERENCE);
                }
            };
        }

        private Duration rest() {
            Duration rest = rests.next();
            LOG.warn(
                    "the destination is tried again here after a rest: instance={} restMs={}",
                    parts.destination(),
                    rest.toMillis());
            return rest;
        }
    }

    private final class Withdrawing implements State {
        private final Question<Void> withdrawal = parts.ask(coordinator.withdraw());

        @Override
        public Wait step() {
            try {
                if (!withdrawal.isAnswered()) {
                    return withdrawal.untilAnswered();
                }
                withdrawal.answer();
            } catch (Exception e) {
                LOG.debug("a candidate's node is left to the end of its session: instance={}", parts.destination(), e);
            }
            return become(new Ended());
        }
    }

    private static final class Ended implements State {
        @Override
        public Wait step() {
            return Wait.END;
        }
    }
}
