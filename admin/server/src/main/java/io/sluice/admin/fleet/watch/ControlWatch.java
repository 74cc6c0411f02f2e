package io.sluice.admin.fleet.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.admin.fleet.control.ControlCall;
import io.sluice.admin.fleet.control.ControlClient;
import io.sluice.admin.fleet.control.ControlFailure;
import io.sluice.admin.fleet.control.ControlStream;
import io.sluice.admin.fleet.control.ControlTarget;
import io.sluice.admin.problem.FailureKind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Watches a Sluice server by one stream of its state. A stream that ends, or is silent, is opened again after a time that grows with each
 * failure. Thread-safe.
 */
public final class ControlWatch implements ServerWatch {
    private static final Logger LOG = LoggerFactory.getLogger(ControlWatch.class);
    private static final String EVENTS = "/events?interval=2";
    private static final Duration STALE = Duration.ofSeconds(10);
    private static final Duration ASKED_AGAIN = Duration.ofSeconds(10);
    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final String name;
    private final ControlTarget target;
    private final ControlClient client;
    private final Clock clock;
    private final Clock waits;

    private final StatusKeeper keeper;

    @GuardedBy("this") private @Nullable Attempt attempt;

    @GuardedBy("this") private Instant nextTry = Instant.MIN;

    @GuardedBy("this") private Duration wait = FIRST_WAIT;

    @GuardedBy("this") private boolean isClosed;

    /**
     * Makes a watch that connects when it is due for the first time.
     *
     * @param clock the time of a report
     * @param waits the time by which attempts are due, and durations are measured
     */
    public ControlWatch(String name, ControlTarget target, ControlClient client, Clock clock, Clock waits) {
        this.name = name;
        this.keeper = new StatusKeeper(name, "sluice");
        this.target = target;
        this.client = client;
        this.clock = clock;
        this.waits = waits;
    }

    @Override
    public ServerStatus status() {
        return keeper.status();
    }

    @Override
    public void tick() {
        Attempt open;
        Attempt begun = null;
        Instant now = waits.instant();
        synchronized (this) {
            open = attempt;
            if (isClosed || open == null && now.isBefore(nextTry)) {
                return;
            }
            if (open == null) {
                begun = new Attempt(now);
                attempt = begun;
            }
        }
        if (begun != null) {
            begun.attach(client.open(target, EVENTS, "", begun));
        } else if (open != null && open.isSilentAt(now)) {
            failed(
                    open,
                    FailureKind.UNREACHABLE,
                    "%s has sent nothing for %d seconds: is the server overloaded, or the network broken?"
                            .formatted(target, STALE.toSeconds()));
        } else if (open != null && open.isToBeAskedAt(now)) {
            ask(open);
        }
    }

    @Override
    public synchronized void hurry() {
        nextTry = Instant.MIN;
        wait = FIRST_WAIT;
        if (attempt != null && attempt.asked != null) {
            attempt.asked = Instant.MIN;
        }
    }

    @Override
    public void close() {
        Attempt open;
        synchronized (this) {
            isClosed = true;
            open = attempt;
            attempt = null;
        }
        if (open != null) {
            open.close();
        }
        client.recognize(target.url(), this, false);
    }

    private synchronized boolean isCurrent(Attempt one) {
        return attempt == one;
    }

    private void failed(Attempt one, FailureKind kind, String reason) {
        synchronized (this) {
            if (attempt != one) {
                return;
            }
            attempt = null;
            long millis = wait.toMillis();
            nextTry = waits.instant()
                    .plusMillis(millis + ThreadLocalRandom.current().nextLong(millis / 2));
            wait = wait.multipliedBy(2).compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait.multipliedBy(2);
            keeper.fail(kind, reason);
        }
        one.close();
    }

    private void reported(Attempt one, String data) {
        Instant now = waits.instant();
        List<InstanceReport> reports;
        ServerStatus before = keeper.status();
        try {
            long elapsed = before.state().isAnswering()
                    ? Duration.between(one.lastEvent, now).toMillis()
                    : 0;
            reports = ReportReader.read(data, before.instances(), elapsed);
        } catch (IllegalArgumentException e) {
            failed(
                    one,
                    FailureKind.UNREACHABLE,
                    "what answers at %s is no Sluice server: its state cannot be read".formatted(target));
            return;
        }
        synchronized (this) {
            if (attempt != one) {
                return;
            }
            one.lastEvent = now;
            wait = FIRST_WAIT;
            boolean isStopped = !reports.isEmpty() && reports.stream().allMatch(InstanceReport::isStopped);
            ServerStatus last = keeper.status();
            if (!last.state().isAnswering()) {
                LOG.info("a server reports its state: server={} instances={}", name, reports.size());
                client.recognize(target.url(), this, true);
            }
            keeper.set(new ServerStatus(
                    "sluice",
                    isStopped ? ServerState.STOPPED : ServerState.RUNNING,
                    isStopped ? "all its instances are stopped" : null,
                    last.version(),
                    last.problems(),
                    clock.instant(),
                    reports));
        }
    }

    /** Asks for what the stream does not report: the version, and what is wrong with the server itself. */
    @SuppressWarnings("FutureReturnValueIgnored") // what fails is logged
    private void ask(Attempt one) {
        one.asked = waits.instant();
        client.call(target, ControlCall.get("/server")).whenComplete((answer, failure) -> {
            if (answer == null) {
                LOG.debug("the version of a server is not known: server={}", name, failure);
                return;
            }
            try {
                JsonNode json = answer.json();
                String version = ReportReader.text(json, "version");
                OwnProblems problems = new OwnProblems(
                        ReportReader.text(json, "configurationProblem"),
                        ReportReader.text(json, "clusterProblem"),
                        ReportReader.texts(json, "restartKeys"));
                synchronized (this) {
                    if (attempt == one) {
                        ServerStatus last = keeper.status();
                        keeper.set(last.with(version == null ? last.version() : version, problems));
                    }
                }
            } catch (ControlFailure e) {
                LOG.debug("the version of a server is not known: server={}", name, e);
            }
        });
    }

    /** A stream that is being opened, or open. */
    private final class Attempt implements ControlStream.Listener {
        private volatile @Nullable ControlStream stream;
        private volatile Instant lastEvent;

        /** When the server was asked last for what the stream does not report; null as long as the stream is not open. */
        private volatile @Nullable Instant asked;

        Attempt(Instant now) {
            this.lastEvent = now;
        }

        boolean isSilentAt(Instant now) {
            // an attempt that does not open in time ends by itself; this is for one that does not even do that
            return Duration.between(lastEvent, now).compareTo(STALE.plusSeconds(2)) > 0;
        }

        boolean isToBeAskedAt(Instant now) {
            Instant last = asked;
            return last != null && !now.isBefore(last.plus(ASKED_AGAIN));
        }

        void attach(ControlStream opened) {
            stream = opened;
            if (!isCurrent(this)) {
                opened.close();
            }
        }

        void close() {
            ControlStream open = stream;
            if (open != null) {
                open.close();
            }
        }

        @Override
        public void opened() {
            ask(this);
        }

        @Override
        public void event(String event, String data) {
            if (event.equals("instances")) {
                reported(this, data);
            }
        }

        @Override
        public void ended(ControlFailure why) {
            failed(this, why.kind(), String.valueOf(why.getMessage()));
        }
    }
}
