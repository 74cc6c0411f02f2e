package io.sluice.server.ha;

import io.sluice.connector.api.producer.Ownership;
import io.sluice.protocol.time.Time;
import io.sluice.server.ha.SimulatedCoordinator.Weakness;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One process of a server with its clocks: it can freeze, sleep with its machine, die, and start again. It has a real candidate
 * and real renewals; only their threads are simulated.
 */
final class SimulatedServer implements Time {
    private static final Duration RENEWAL_LOOK = Duration.ofMillis(400);

    /** How long a sender sends without a look at its ownership. */
    private static final Duration SENDER_LOOK = Duration.ofMillis(500);

    private static final Duration LONGEST_STOP = Duration.ofSeconds(30);

    private final Simulation simulation;
    private final SimulatedEnsemble ensemble;
    private final String address;
    private final Weakness weakness;
    private final SimulatedServices services;

    /** How fast its clocks are. */
    private final double rate;

    /** As its session's timeout is configured, so not that of the other servers. */
    private final Duration lease;

    private final long origin;

    /** The time that the monotonic clock did not count in past sleeps. */
    private long slept;

    /** The begin and the end of the last sleep. */
    private long sleepBegin;

    private long sleepEnd;

    private long wallOffsetNanos;
    private boolean wallWasSetBack;
    private long frozenUntil;
    private Incarnation process;

    /** How likely a service cannot start, or fails. */
    private double frailty;

    /** The state that is lost with the process. */
    private final class Incarnation implements Service {
        private final SimulatedClient client;
        private final Renewal renewal;
        private final Candidate candidate;
        private boolean dead;
        private long plannedStep = Long.MAX_VALUE;
        private @Nullable Ownership running;

        /** That of a service which has ended, and left something on its way; it arrives before the lease is over. */
        private @Nullable Ownership leftBehind;

        private boolean failed;

        /** Whether the candidate's thread waits for the service to stop. */
        private boolean isStopping;

        /** Since when the ownership of what runs is not held; -1 if it is, or nothing runs. */
        private long lostSince = -1;

        Incarnation() {
            client = new SimulatedClient(simulation, ensemble, this::execute, this::wake);
            SimulatedCoordinator coordinator =
                    new SimulatedCoordinator(simulation, client, address, lease, SimulatedServer.this, weakness);
            renewal = new Renewal(
                    coordinator, new HeartbeatAges(SimulatedServer.this), SimulatedServer.this, () -> lease);
            candidate = new Candidate(new Parts(
                    "shop",
                    address,
                    coordinator,
                    renewal,
                    this,
                    Duration.ZERO,
                    SimulatedServer.this,
                    simulation.random(),
                    this::wake));
        }

        void begin() {
            candidate.want();
            renewNowAndThen();
        }

        private void renewNowAndThen() {
            if (!dead) {
                execute(renewal::step);
                simulation.after(RENEWAL_LOOK, this::renewNowAndThen);
            }
        }

        /** Runs it now, or when the process is not frozen any more. */
        private void execute(Runnable task) {
            if (dead) {
                return;
            }
            if (simulation.now() < frozenUntil) {
                simulation.at(frozenUntil, () -> execute(task));
            } else {
                task.run();
            }
        }

        /** Also where the candidate waits for time only: a step that comes early does no harm. */
        private void wake() {
            planStep(Duration.ofNanos(100_000));
        }

        private void planStep(Duration delay) {
            long at = simulation.now() + delay.toNanos();
            if (at < plannedStep) {
                plannedStep = at;
                simulation.at(at, () -> {
                    if (plannedStep == at) {
                        plannedStep = Long.MAX_VALUE;
                        execute(this::makeStep);
                    }
                });
            }
        }

        private void makeStep() {
            if (isStopping) {
                return; // in the step that waits
            }
            Wait wait = candidate.step();
            if (dead) {
                return;
            }
            simulation.note(() -> address + " " + candidate + " waits " + wait);
            if (wait.kind() != Wait.Kind.END) {
                planStep(wait.longest().plusNanos(1_000 + simulation.below(2_000_000)));
            }
        }

        @Override
        public void start(OwnershipTerm term) throws Exception {
            if (simulation.chance(frailty)) {
                fail("the service does not start");
            }
            simulation.note(() -> address + " starts, epoch " + term.ownership().epoch());
            running = term.ownership();
            services.start(address, term.ownership());
            failed = false;
            if (simulation.chance(0.1)) {
                freeze(simulation.upTo(ensemble.timeout())); // a start that takes long
            }
        }

        @Override
        public boolean stop(Duration limit) {
            if (simulation.chance(frailty)) {
                fail("the service does not stop");
            }
            simulation.note(() -> address + " stops");
            if (services == SimulatedServices.NONE) {
                finish(simulation.stop(limit));
            }
            return end();
        }

        /** What is in flight is delivered, while the other threads run, and the other servers. */
        private void finish(Duration length) {
            isStopping = true;
            long end = simulation.now() + length.toNanos();
            while (!dead && simulation.now() < Math.max(end, frozenUntil)) {
                simulation.step();
            }
            isStopping = false;
            simulation.note(() -> address + " has stopped");
        }

        void observe() {
            Ownership current = running;
            if (current == null || current.isHeld()) {
                lostSince = -1;
            } else if (lostSince < 0) {
                lostSince = simulation.now();
            }
        }

        /** Its sender has not looked at the ownership since it was lost. */
        boolean sendsLate() {
            boolean neverLooks = isStopping && weakness == Weakness.SENDS_UNTIL_IT_HAS_STOPPED;
            return lostSince >= 0 && (neverLooks || simulation.now() - lostSince <= SENDER_LOOK.toNanos());
        }

        private void fail(String how) {
            if (simulation.chance(0.5)) {
                throw new OutOfMemoryError(how); // as when no thread can be started, for which no JVM ends
            }
            throw new IllegalStateException(how);
        }

        @Override
        public boolean abandon() {
            simulation.note(() -> address + " abandons");
            return end();
        }

        private boolean end() {
            Ownership ended = running;
            running = null;
            lostSince = -1;
            services.end(address);
            boolean isSilent = ended == null || simulation.chance(0.7);
            if (!isSilent) {
                simulation.note(() -> address + " has left something on its way");
                leftBehind = ended;
            }
            return isSilent;
        }

        @Override
        public boolean hasFailed() {
            return failed;
        }
    }

    SimulatedServer(
            Simulation simulation,
            SimulatedEnsemble ensemble,
            String address,
            Weakness weakness,
            SimulatedServices services) {
        this.services = services;
        this.simulation = simulation;
        this.ensemble = ensemble;
        this.address = address;
        this.weakness = weakness;
        this.lease = Duration.ofMillis(ensemble.timeout().toMillis() * 2 / 3 / (1 + simulation.below(3)));
        this.rate = 0.99 + simulation.below(2001) / 100_000.0;
        this.origin = Long.MAX_VALUE - simulation.below(1_000_000_000) * 100L; // may overflow, as the real one may
        this.process = new Incarnation();
        process.begin();
    }

    @Override
    public long nanos() {
        long missed = slept + Math.min(simulation.now(), sleepEnd) - sleepBegin;
        return origin + (long) ((simulation.now() - missed) * rate);
    }

    @Override
    public long millis() {
        return 1_700_000_000_000L + ((long) (simulation.now() * rate) + wallOffsetNanos) / 1_000_000;
    }

    @Override
    public void sleep(Duration length) {
        throw new UnsupportedOperationException("no part under simulation sleeps");
    }

    String address() {
        return address;
    }

    SimulatedClient client() {
        return process.client;
    }

    boolean isOwner() {
        return process.candidate.isOwner();
    }

    /** Whether a message would leave the process now, if it ran. */
    boolean mayDeliver() {
        Ownership ownership = process.running;
        return ownership != null && ownership.isHeld();
    }

    /** Whether something of it may arrive: what leaves now, or has left. */
    boolean mayArrive() {
        Ownership left = process.leftBehind;
        return mayDeliver() || process.sendsLate() || left != null && left.isHeld();
    }

    /** To be called after each event. */
    void observe() {
        process.observe();
    }

    long epoch() {
        Ownership ownership = process.running;
        return ownership == null ? 0 : ownership.epoch();
    }

    void setFrailty(double probability) {
        frailty = probability;
    }

    void fail() {
        simulation.note(() -> address + " fails");
        process.failed = true;
        process.wake();
    }

    void freeze(Duration length) {
        simulation.note(() -> address + " is frozen for " + length.toMillis());
        frozenUntil = Math.max(frozenUntil, simulation.now() + length.toNanos());
    }

    boolean isFrozen() {
        return simulation.now() < frozenUntil;
    }

    /** Its monotonic clock stops meanwhile. A machine whose wall clock is set back, too, is not covered by any lease. */
    void suspend(Duration length) {
        if (wallWasSetBack || simulation.now() < frozenUntil) {
            return;
        }
        simulation.note(() -> address + " sleeps for " + length.toMillis());
        freeze(length);
        slept += sleepEnd - sleepBegin;
        sleepBegin = simulation.now();
        sleepEnd = frozenUntil;
    }

    void setWallClock(Duration change) {
        if (sleepEnd == 0 || !change.isNegative()) {
            simulation.note(() -> address + " sets its wall clock by " + change.toMillis());
            wallWasSetBack |= change.isNegative();
            wallOffsetNanos += change.toNanos();
        }
    }

    /** Crashes the process, and starts it again at once or later. */
    void crash(Duration downtime) {
        simulation.note(() -> address + " crashes");
        process.dead = true;
        process.running = null;
        services.end(address);
        process.client.close();
        frozenUntil = simulation.now();
        sleepEnd = Math.min(sleepEnd, simulation.now());
        process = new Incarnation();
        Incarnation next = process;
        simulation.after(downtime, next::begin);
    }

    /** Stops it in an orderly way, and starts it again. */
    void restart(Duration downtime) {
        Incarnation ending = process;
        ending.execute(() -> {
            simulation.note(() -> address + " is asked to end");
            ending.candidate.close(LONGEST_STOP);
        });
        simulation.after(downtime, () -> {
            if (process == ending) {
                crash(Duration.ZERO);
            }
        });
    }
}
