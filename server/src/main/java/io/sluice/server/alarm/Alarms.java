package io.sluice.server.alarm;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.alarm.AlarmConfig;
import io.sluice.server.config.alarm.Webhook;
import io.sluice.server.control.AlarmTest;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.health.ReportingGuard;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the problems of all instances every second, and has those that are worth an alarm posted. Nothing that delivers changes ever waits for
 * it: it only reads their states, and each web hook has a queue and a thread of its own. Thread-safe.
 */
public final class Alarms {
    private static final Logger LOG = LoggerFactory.getLogger(Alarms.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration FIRST_WAIT = Duration.ofSeconds(2);

    private final Supplier<List<InstanceProblems>> standings;
    private final Time time;
    private final Duration firstWait;
    private final WebhookSender.Totals totals = new WebhookSender.Totals();
    private final Future<?> checks;
    private final ReportingGuard failures;

    @GuardedBy("this") private final AlarmLedger ledger;

    @GuardedBy("this") private AlarmConfig config;

    @GuardedBy("this") private List<WebhookSender> senders = List.of();

    @GuardedBy("this") private @Nullable HttpPost http;

    private Alarms(
            Supplier<List<InstanceProblems>> standings,
            AlarmConfig config,
            ScheduledExecutorService timer,
            Duration firstWait,
            Time time) {
        this.standings = standings;
        this.time = time;
        this.failures = new ReportingGuard(
                time, (all, e) -> LOG.error("the problems of instances cannot be determined for alarms", e));
        this.firstWait = firstWait;
        this.config = config;
        this.ledger = new AlarmLedger(time);
        synchronized (this) {
            open(config);
        }
        this.checks =
                timer.scheduleWithFixedDelay(this::check, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Begins the checks.
     *
     * @param standings of all destinations, and of the server; must not wait
     * @param timer runs the checks, which takes no time
     */
    public static Alarms start(
            Supplier<List<InstanceProblems>> standings, AlarmConfig config, ScheduledExecutorService timer, Time time) {
        return start(standings, config, timer, FIRST_WAIT, time);
    }

    static Alarms start(
            Supplier<List<InstanceProblems>> standings,
            AlarmConfig config,
            ScheduledExecutorService timer,
            Duration firstWait,
            Time time) {
        return new Alarms(standings, config, timer, firstWait, time);
    }

    /** Posts what comes from now on by another configuration. Problems that were raised are not raised again. */
    public synchronized void configure(AlarmConfig next) {
        if (next.equals(config)) {
            return;
        }
        List<WebhookSender> former = senders;
        open(next);
        config = next;
        former.forEach(WebhookSender::beginClose);
        if (next.webhooks().isEmpty()) {
            ledger.clear();
        }
        LOG.info(
                "alarms are posted by the changed configuration: webhooks={}",
                next.webhooks().size());
    }

    @GuardedBy("this") private void open(AlarmConfig now) {
        List<WebhookSender> opened = new ArrayList<>();
        for (Webhook webhook : now.webhooks()) {
            opened.add(new WebhookSender(
                    opened.size() + 1, webhook, now, () -> serverName(now), http(), totals, firstWait, time));
        }
        senders = List.copyOf(opened);
    }

    @GuardedBy("this") private HttpPost http() {
        HttpPost known = http;
        if (known == null) {
            known = new HttpPost();
            http = known;
        }
        return known;
    }

    /** May ask a server of names, so it is called by the threads that post. */
    private static String serverName(AlarmConfig config) {
        if (!config.serverName().isBlank()) {
            return config.serverName();
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "an unnamed server";
        }
    }

    /** How many alarms were posted, and were not. */
    public AlarmCounts counts() {
        return totals.counts();
    }

    private synchronized void check() {
        AlarmLedger known = ledger;
        AlarmConfig rules = config;
        List<WebhookSender> receivers = senders;
        if (!receivers.isEmpty()) {
            failures.run("", () -> {
                for (Alarm alarm : known.check(standings.get(), rules)) {
                    receivers.forEach(receiver -> receiver.offer(alarm));
                }
            });
        }
    }

    /**
     * Posts a message to each web hook at once, and waits for the answers.
     *
     * @throws CommandRejectedException if there is no web hook, or the server ends
     */
    public List<AlarmTest> test() {
        List<WebhookSender> tested;
        AlarmConfig now;
        synchronized (this) {
            tested = senders;
            now = config;
        }
        if (tested.isEmpty()) {
            throw new CommandRejectedException("no alarm can be sent, since canal.alarm.webhook.url is not set");
        }
        Instant at = Instant.ofEpochMilli(time.millis());
        Alarm alarm = new Alarm(
                AlarmKind.TEST,
                Alarm.Phase.RAISED,
                "",
                "an operator has requested a test alarm",
                "nothing",
                at,
                Duration.ZERO,
                1);
        AlarmMessage message = new AlarmMessage(serverName(now), at, 0, List.of(alarm));
        List<AlarmTest> results = new ArrayList<>();
        for (int i = 0; i < tested.size(); i++) {
            String wrong;
            try {
                wrong = tested.get(i).tryOnce(message);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CommandRejectedException("the server ends");
            }
            results.add(new AlarmTest(i + 1, now.webhooks().get(i).format().spelling(), wrong.isEmpty(), wrong));
        }
        return results;
    }

    /** Checks for the last time, and posts nothing but what waits; {@link #awaitEnd} waits for it. */
    public void beginClose() {
        checks.cancel(false);
        check();
        synchronized (this) {
            senders.forEach(WebhookSender::beginClose);
        }
    }

    /** Waits until what waited was posted. */
    public void awaitEnd(Duration limit) {
        List<WebhookSender> last;
        synchronized (this) {
            last = senders;
        }
        long end = time.nanos() + limit.toNanos();
        try {
            for (WebhookSender sender : last) {
                sender.awaitEnd(Duration.ofNanos(Math.max(0, end - time.nanos())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
