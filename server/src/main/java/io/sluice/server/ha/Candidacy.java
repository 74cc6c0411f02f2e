package io.sluice.server.ha;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.server.ha.Election.Won;
import io.sluice.store.cursor.CanalNodes;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorWatcher;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * One server's standing for one destination: it waits until nobody runs it, runs it, and stops when it must.
 *
 * <p>It runs the destination only while its lease is held. A lease that was lost ends the service at once, without a last
 * word to ZooKeeper: by the time another server is elected, this one has been silent for a third of the session's time-out.
 * Safe for use by several threads.
 */
public final class Candidacy {
    private static final Logger LOG = LoggerFactory.getLogger(Candidacy.class);

    /** How long a candidate waits for each that is before it, so that destinations are spread. */
    private static final Duration TURN = Duration.ofMillis(500);

    /**
     * How long a new owner waits when the one before it was not seen to stop. By the rules of leases that one is silent
     * already; but ZooKeeper may have been told to end its session, and then it learns of that a moment later.
     */
    private static final Duration GRACE = Duration.ofSeconds(2);

    /** The longest wait for a change; watches tell of it sooner. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    private static final Duration RETRY = Duration.ofSeconds(1);

    /** How long a server leaves a destination to others that was taken away from it, as canal does. */
    private static final Duration DEFERENCE = Duration.ofSeconds(5);

    /** How long a server leaves a destination to others that has failed on it; doubled at every failure in a row. */
    private static final Duration FIRST_REST = Duration.ofSeconds(10);

    private static final int MOST_DOUBLINGS = 5;

    private final CuratorFramework zooKeeper;
    private final String destination;
    private final String address;
    private final Service service;
    private final Duration balanceDelay;
    private final ScheduledExecutorService scheduler;
    private final Election election;
    private final EphemeralNode candidate;
    private final Thread thread;
    private final CuratorWatcher watcher = event -> wake();

    @GuardedBy("this") private boolean woken;

    private volatile boolean closing;
    private volatile boolean wanted;
    private volatile Duration stopLimit = Duration.ofSeconds(30);
    private volatile @Nullable Won current;
    private volatile boolean renewing;
    private boolean away;
    private int failures;

    Candidacy(
            CuratorFramework zooKeeper,
            String destination,
            String address,
            Service service,
            Duration balanceDelay,
            ScheduledExecutorService scheduler,
            Lease.Ticker ticker) {
        this.zooKeeper = zooKeeper;
        this.destination = destination;
        this.address = address;
        this.service = service;
        this.balanceDelay = balanceDelay;
        this.scheduler = scheduler;
        this.election = new Election(zooKeeper, destination, address, ticker);
        this.candidate = new EphemeralNode(zooKeeper, CanalNodes.candidates(destination) + "/" + address);
        this.thread = new Thread(this::run, "candidate-" + destination);
    }

    void start() {
        thread.start();
    }

    /** Wants the destination from now on; until then it is only known that this server could run it. */
    public void want() {
        if (!wanted) {
            wanted = true;
            wake();
        }
    }

    /** Whether this server runs the destination. */
    public boolean isOwner() {
        Won won = current;
        return won != null && won.lease().isHeld();
    }

    /**
     * Begins to stop the service in good order, and to leave the destination to others at once.
     *
     * @param limit how long what is in flight may take
     */
    public void beginClose(Duration limit) {
        stopLimit = limit;
        closing = true;
        wake();
    }

    /** Waits, after {@link #beginClose}, until the service has stopped and the destination is left to others. */
    public void awaitEnd() throws InterruptedException {
        thread.join();
    }

    private synchronized void wake() {
        woken = true;
        notifyAll();
    }

    /** Waits until something has changed, or the time is up. */
    private synchronized void await(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        while (!woken && !closing) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        woken = false;
    }

    /** Waits, whatever changes; only a close ends it early. */
    private synchronized void pause(Duration length) throws InterruptedException {
        long end = System.nanoTime() + length.toNanos();
        while (!closing) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                break;
            }
            wait(left);
        }
    }

    /** A service logs as it likes on this thread; we log as the destination. */
    private void logAsDestination() {
        MDC.put("destination", destination);
    }

    private void run() {
        logAsDestination();
        try {
            while (!closing) {
                try {
                    stand();
                } catch (InterruptedException e) {
                    throw e;
                } catch (Exception e) {
                    away(e);
                    await(RETRY);
                }
            }
            candidate.remove();
        } catch (InterruptedException e) {
            LOG.warn("a candidate was interrupted: instance={}", destination);
        } catch (Exception e) {
            LOG.debug("a candidate's node is left to its session's end: instance={}", destination, e);
        } catch (Throwable e) { // the top of the thread
            LOG.error("a candidate died, the destination does not run here any more: instance={}", destination, e);
            endAtOnce();
        }
    }

    private void away(Exception cause) {
        if (!away) {
            LOG.warn(
                    "ZooKeeper does not answer, trying again: instance={} cause={}",
                    destination,
                    String.valueOf(cause),
                    cause instanceof RuntimeException ? cause : null); // which is a fault of ours
            away = true;
        }
    }

    /** Waits for the destination, and runs it until it is lost; or comes back earlier, to be called again. */
    private void stand() throws Exception {
        candidate.ensure();
        if (away) {
            LOG.info("ZooKeeper answers again: instance={}", destination);
            away = false;
        }
        if (!wanted || election.isTaken(watcher)) {
            await(LOOK);
            return;
        }
        int turn = turn();
        if (turn > 0) {
            await(TURN.multipliedBy(Math.min(turn, 10)));
            if (closing || election.isTaken(watcher)) {
                return;
            }
        }
        Won won = election.tryToWin();
        if (won != null) {
            serve(won);
        }
    }

    private int turn() throws Exception {
        return Shares.turnOf(
                address,
                destination,
                zooKeeper.getChildren().forPath(CanalNodes.destinations()),
                zooKeeper.getChildren().forPath(CanalNodes.candidates(destination)));
    }

    private void serve(Won won) throws Exception {
        LOG.info(
                "this server owns the destination: instance={} epoch={} address={}",
                destination,
                won.lease().epoch(),
                address);
        current = won;
        long period = won.lease().renewalPeriod().toMillis();
        ScheduledFuture<?> renewals = scheduler.scheduleAtFixedRate(() -> renew(won), 0, period, TimeUnit.MILLISECONDS);
        try {
            serveUntilTheEnd(won);
        } finally {
            renewals.cancel(false);
            current = null;
        }
    }

    private void renew(Won won) {
        if (renewing || !zooKeeper.getZookeeperClient().isConnected()) {
            return;
        }
        renewing = true;
        try {
            election.renew(won, watcher, () -> {
                renewing = false;
                if (won.lease().lossReason() != null) {
                    wake();
                }
            });
        } catch (Exception e) {
            renewing = false;
            LOG.debug("a lease was not renewed: instance={}", destination, e);
        }
    }

    private void serveUntilTheEnd(Won won) throws Exception {
        if (!won.afterRelease()) {
            pause(GRACE);
        }
        if (closing || !won.lease().isHeld()) {
            election.release(won);
            return;
        }
        Tenure tenure = new Tenure(won.lease(), zooKeeper, won.fence());
        try {
            service.start(tenure);
        } catch (Exception e) {
            logAsDestination();
            LOG.error(
                    "the destination cannot run here: instance={} epoch={}",
                    destination,
                    won.lease().epoch(),
                    e);
            endAtOnce();
            rest(won);
            return;
        }
        logAsDestination();
        Balance balance = new Balance(zooKeeper, destination, address, balanceDelay);
        while (!closing && won.lease().lossReason() == null && !service.hasFailed() && !balance.isOthers()) {
            Duration remaining = won.lease().remaining();
            Duration period = won.lease().renewalPeriod();
            await(remaining.compareTo(period) < 0 ? remaining : period);
            renew(won);
            balance.look();
        }
        String reason = won.lease().lossReason();
        if (reason != null) {
            lose(won, reason);
        } else if (service.hasFailed()) {
            service.stop(Duration.ZERO);
            logAsDestination();
            rest(won);
        } else {
            failures = 0;
            service.stop(stopLimit);
            logAsDestination();
            election.release(won);
            LOG.info(
                    "the destination is left to others: instance={} epoch={}",
                    destination,
                    won.lease().epoch());
            pause(DEFERENCE);
        }
    }

    private void lose(Won won, String reason) throws Exception {
        won.lease().revoke(reason);
        LOG.warn(
                "this server does not own the destination any more, it stops at once: instance={} epoch={} reason={}",
                destination,
                won.lease().epoch(),
                reason);
        endAtOnce();
        LOG.info(
                "nothing is delivered here any more: instance={} epoch={}",
                destination,
                won.lease().epoch());
        if (zooKeeper.getZookeeperClient().isConnected()
                && zooKeeper.getZookeeperClient().getZooKeeper().getSessionId() == won.session()) {
            election.release(won);
            pause(DEFERENCE);
        }
    }

    private void endAtOnce() {
        try {
            service.abandon();
            logAsDestination();
        } catch (RuntimeException e) {
            LOG.error("an instance did not end in good order: instance={}", destination, e);
        }
    }

    /** Gives others a chance that can run it, perhaps, and stands again after a while. */
    private void rest(Won won) throws Exception {
        candidate.remove();
        election.release(won);
        won.lease().revoke("it was given up after a failure");
        Duration rest = FIRST_REST.multipliedBy(1L << Math.min(failures++, MOST_DOUBLINGS));
        LOG.warn(
                "the destination is tried again here after a rest: instance={} restMs={}",
                destination,
                rest.toMillis());
        pause(rest);
    }
}
