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
 *   Checking     asks whether there is an owner
 *                yes, or the destination is not wanted: -> Waiting, and Checking again after a change, or some seconds; after a failure
 *                of the service it is no candidate meanwhile, so that the owner does not leave the destination to it
 *                no: -> Yielding, or after that -> Campaigning
 *   Yielding     waits half a second for each candidate that should be faster -> Checking
 *   Campaigning  tries to become the owner: won -> Owning, else -> Checking
 *   Owning       see OwnerLifecycle; when it is over
 *                after a failure of the service -> BackingOff, twice as long after each failure without long service between them
 *                after it was left, or revoked -> Deferring, for others to take it
 *                after the lease was lost in another way -> Checking
 *   BackingOff   leaves the destination to others for a while, and asks whether one owns it; it is over, or ended by retryNow -> Checking
 *   Deferring    leaves the destination to others for a while -> Checking
 *   Withdrawing  the candidacy ends, from any state but Campaigning and Owning: removes the registration -> Ended
 * </pre>
 *
 * <p>From all states but Owning and BackingOff, an answer that fails or does not come leads to Checking after a second. {@link #step} is for
 * one thread at a time; the other methods are for any.
 */
public final class Candidate {
    private static final Logger LOG = LoggerFactory.getLogger(Candidate.class);

    /** How long a candidate waits for each that is before it, so that destinations are spread. */
    private static final Duration TURN = Duration.ofMillis(500);

    private static final int MAX_TURNS = 10;

    /** The longest wait for a change; watches report it sooner. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

    private static final Duration RETRY = Duration.ofSeconds(1);

    /** How long a server leaves a destination to others that was revoked from it, as canal does. */
    private static final Duration DEFERENCE = Duration.ofSeconds(5);

    /** How long a server leaves a destination to others that has failed on it, at most; doubled at every failure in a row. */
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(10);

    private static final Duration MAX_BACKOFF = Duration.ofSeconds(320);

    /**
     * How long a server takes a destination that has failed on it from no other server, at most: it would not be delivered during each
     * attempt. Doubled when it fails again after that.
     */
    private static final Duration FIRST_RESERVE = Duration.ofHours(1);

    private static final Duration LONGEST_RESERVE = Duration.ofHours(24);

    private final Parts parts;
    private final Coordinator coordinator;
    private final Backoff backoff;
    private final Backoff reserves;
    private final KnownOwner knownOwner;
    private State state = new Waiting(() -> new Checking(false));

    /** What has kept this server from deciding since the last decision, as logged last; null if nothing has. */
    private @Nullable Obstacle obstacle;

    /** Whether the obstacle came after a check that was answered, so that another such check does not mean its end. */
    private boolean isObstacleOfElection;

    private volatile boolean wanted;
    private volatile boolean retryNow;
    private volatile Reserve reserve;
    private volatile Optional<Duration> close = Optional.empty();
    private volatile @Nullable OwnerLifecycle lifecycle;

    /** Creates one that does not compete for the destination yet. */
    public Candidate(Parts parts) {
        this.parts = parts;
        this.coordinator = parts.coordinator();
        this.backoff = new Backoff(FIRST_BACKOFF, MAX_BACKOFF, parts.random());
        this.reserves = new Backoff(FIRST_RESERVE, LONGEST_RESERVE, parts.random());
        this.knownOwner = new KnownOwner(parts.time());
        this.reserve = new Reserve(parts.time().nanos(), Duration.ZERO);
        coordinator.onChange(parts.changed());
    }

    /** Competes for the destination from now on; until then this server is only known as a candidate. */
    void want() {
        if (!wanted) {
            knownOwner.isWanted();
            wanted = true;
            parts.changed().run();
        }
    }

    /**
     * Ends the back-off after a failure: the next steps try to own the destination at once, and the share of this server is computed as if the
     * destination had not failed here.
     *
     * @return whether there was a failure, and this server does not run it again since
     */
    boolean retryNow() {
        boolean hasFailed = knownOwner.hasFailed();
        if (!hasFailed && !isReserved()) {
            return false;
        }
        retryNow = true;
        parts.changed().run();
        return hasFailed || !isOwner();
    }

    /** Since when no server is known to run the destination, though it should run here; empty if one is. */
    Optional<Absence> absence() {
        return wanted && !isClosing() ? knownOwner.absence() : Optional.empty();
    }

    /** Whether the destination should run here. */
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
            knownOwner.isUnknown();
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
            return waitForChange(RETRY, () -> new Checking(false));
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
        knownOwner.isUnknown();
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
            case REJECTION ->
                LOG.warn(
                        "ZooKeeper rejects this server's login or request, trying again: instance={} cause={}",
                        parts.destination(),
                        String.valueOf(cause));
            case OTHER ->
                LOG.warn(
                        "it cannot be decided whether the instance may run here, trying again: instance={} cause={}",
                        parts.destination(),
                        String.valueOf(cause),
                        cause); // which may be a defect here
        }
        parts.service().isUncoordinated(next);
        parts.logAsDestination();
    }

    private void note(boolean isTaken) {
        if (isTaken || !isObstacleOfElection) {
            noteBack();
        }
        if (isTaken) {
            knownOwner.isElsewhere();
        } else {
            knownOwner.isNowhere();
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
        backoff.reset();
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

    private final class Deferring implements State {
        private final Duration length;
        private final long begin = parts.time().nanos();

        Deferring(Duration length) {
            this.length = length;
        }

        @Override
        public Wait step() {
            if (isClosing()) {
                return become(new Withdrawing());
            }
            Duration left = length.minusNanos(parts.time().nanos() - begin);
            return left.isNegative() || left.isZero() ? become(new Checking(false)) : Wait.forTime(left);
        }
    }

    /** The back-off after a failure of the service. */
    private final class BackingOff implements State {
        private final Duration length;
        private final long begin = parts.time().nanos();
        private @Nullable Question<Boolean> taken;
        private long asked = begin;

        BackingOff(Duration length) {
            this.length = length;
            knownOwner.hasFailed(Instant.ofEpochMilli(parts.time().millis()).plus(length));
            retryNow = false;
        }

        @Override
        public Wait step() {
            if (isClosing()) {
                return become(new Withdrawing());
            }
            Duration left = length.minus(since(begin));
            if (retryNow || left.isNegative() || left.isZero()) {
                knownOwner.backoffIsOver();
                return become(new Checking(false));
            }
            check();
            Duration untilCheck = taken == null ? CHECK_INTERVAL.minus(since(asked)) : CHECK_INTERVAL;
            return Wait.forChange(untilCheck.compareTo(left) < 0 ? untilCheck : left);
        }

        private void check() {
            if (taken == null && since(asked).compareTo(CHECK_INTERVAL) >= 0) {
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

    private final class Checking implements State {
        private final Question<Boolean> taken = parts.ask(coordinator.isTaken(registration()));
        private final boolean hasYielded;

        Checking(boolean hasYielded) {
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
                return waitForChange(CHECK_INTERVAL, () -> new Checking(false));
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
                    : waitForChange(TURN.multipliedBy(Math.min(turn, MAX_TURNS)), () -> new Checking(true));
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
            return become(won.isPresent() ? new Owning(won.get()) : new Checking(false));
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
                knownOwner.isHere();
                serving = serving == null ? Long.valueOf(parts.time().nanos()) : serving;
            }
            Optional<OwnerLifecycle.Outcome> outcome = own.outcome();
            if (outcome.isEmpty()) {
                return wait;
            }
            lifecycle = null;
            knownOwner.isNowhere();
            if (serving != null && since(serving).compareTo(KnownOwner.STEADY) >= 0) {
                forgetFailures();
            }
            return become(next(outcome.get()));
        }

        private State next(OwnerLifecycle.Outcome outcome) {
            return switch (outcome) {
                case LOST -> new Checking(false);
                case TAKEN_AWAY -> new Deferring(DEFERENCE);
                case FAILED -> {
                    beReserved();
                    yield new BackingOff(nextBackoff());
                }
                case LEFT -> {
                    forgetFailures();
                    yield new Deferring(DEFERENCE);
                }
            };
        }

        private Duration nextBackoff() {
            Duration length = backoff.next();
            LOG.warn(
                    "retrying the destination here after a back-off: instance={} backOffMs={}",
                    parts.destination(),
                    length.toMillis());
            return length;
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
