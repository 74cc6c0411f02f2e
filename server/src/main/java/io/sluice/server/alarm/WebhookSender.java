package io.sluice.server.alarm;

import io.sluice.protocol.time.Time;
import io.sluice.server.alarm.Posting.Verdict;
import io.sluice.server.config.alarm.AlarmConfig;
import io.sluice.server.config.alarm.Webhook;
import io.sluice.server.config.text.Masking;
import io.sluice.server.port.LineRate;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts alarms to one web hook, in order, by a thread of its own. {@link #offer} never waits: what has no room in the queue is dropped, and
 * counted. Thread-safe.
 */
final class WebhookSender {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookSender.class);

    static final int QUEUE = 256;
    static final int MAX_IN_A_MESSAGE = 15;
    static final int ATTEMPTS = 6;

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);
    private static final int LONGEST_ANSWER = 200;

    /** Shorter parts of a URL are words, such as {@code send}. */
    private static final int SHORTEST_TOKEN = 6;

    private final int number;
    private final Webhook webhook;
    private final List<String> secrets;
    private final AlarmConfig config;
    private final Supplier<String> serverName;
    private final HttpPost http;
    private final Totals totals;
    private final Duration firstWait;
    private final Time time;
    private final LineRate lines;
    private final BlockingQueue<Optional<Alarm>> queue = new ArrayBlockingQueue<>(QUEUE);
    private final AtomicLong droppedSinceMessage = new AtomicLong();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;

    /** What all senders of a server have done. */
    static final class Totals {
        private final AtomicLong sent = new AtomicLong();
        private final AtomicLong failed = new AtomicLong();
        private final AtomicLong dropped = new AtomicLong();

        AlarmCounts counts() {
            return new AlarmCounts(sent.get(), failed.get(), dropped.get());
        }
    }

    /**
     * Makes one, and starts its thread.
     *
     * @param number of the web hook in the configuration, from 1; what logs call it
     * @param firstWait the back-off after the first failure of a message; each further one is twice as long
     */
    WebhookSender(
            int number,
            Webhook webhook,
            AlarmConfig config,
            Supplier<String> serverName,
            HttpPost http,
            Totals totals,
            Duration firstWait,
            Time time) {
        this.number = number;
        this.webhook = webhook;
        this.secrets = secrets(webhook);
        this.config = config;
        this.serverName = serverName;
        this.http = http;
        this.totals = totals;
        this.firstWait = firstWait;
        this.time = time;
        this.lines = new LineRate(time, 1);
        thread = new Thread(this::run, "alarm-" + number);
        thread.setDaemon(true);
        thread.start();
    }

    /** Has an alarm posted, or drops it. */
    void offer(Alarm alarm) {
        if (!queue.offer(Optional.of(alarm))) {
            totals.dropped.incrementAndGet();
            droppedSinceMessage.incrementAndGet();
            long unused = lines.takeLeftOut(); // begins the next second; the total has how many there were
            if (lines.allows()) {
                LOG.warn(
                        "an alarm was dropped, since the web hook does not take those before it: webhook={} dropped={}",
                        number,
                        totals.dropped.get());
            }
        }
    }

    /** Posts a message once, in the calling thread; returns why it was not accepted, blank if it was. */
    String tryOnce(AlarmMessage message) throws InterruptedException {
        try {
            HttpAnswer answer =
                    http.post(Posting.of(webhook, message, Instant.ofEpochMilli(time.millis())), config.timeout());
            return Posting.verdict(webhook, answer) == Verdict.ACCEPTED ? "" : shown(answer);
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } catch (RuntimeException | Error e) { // its text may quote the URL
            LOG.error(
                    "an alarm cannot be posted by a defect: webhook={} cause={}",
                    number,
                    e.getClass().getName());
            return "it cannot be posted: " + e.getClass().getSimpleName();
        }
    }

    /** Posts nothing but what waits, and that without further attempts; {@link #awaitEnd} waits for it. */
    void beginClose() {
        closing.countDown();
        boolean unused = queue.offer(Optional.empty()); // a full queue needs no wake-up
    }

    /** Waits until what waited was posted, or given up; after that time nothing more is. */
    void awaitEnd(Duration limit) throws InterruptedException {
        thread.join(Math.max(1, limit.toMillis()));
        thread.interrupt();
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private void run() {
        try {
            while (true) {
                Optional<Alarm> first = isClosing() ? queue.poll() : queue.take();
                if (first == null) {
                    return;
                }
                if (first.isPresent()) {
                    List<Alarm> alarms = new ArrayList<>(List.of(first.get()));
                    gather(alarms);
                    send(alarms, droppedSinceMessage.getAndSet(0));
                }
            }
        } catch (InterruptedException e) {
            LOG.warn(
                    "alarms that waited are not posted, since the server ends: webhook={} waiting={}",
                    number,
                    queue.size());
        } catch (RuntimeException | Error e) {
            LOG.error("no more alarms are posted: webhook={}", number, e);
            throw e;
        }
    }

    private void gather(List<Alarm> alarms) throws InterruptedException {
        long end = time.nanos() + config.gather().toNanos();
        while (alarms.size() < MAX_IN_A_MESSAGE) {
            long left = end - time.nanos();
            Optional<Alarm> next = left > 0 && !isClosing() ? queue.poll(left, TimeUnit.NANOSECONDS) : queue.poll();
            if (next == null) {
                return;
            }
            next.ifPresent(alarms::add);
        }
    }

    private void send(List<Alarm> alarms, long dropped) throws InterruptedException {
        int count = alarms.size();
        Instant at = Instant.ofEpochMilli(time.millis());
        Duration wait = firstWait;
        String reason = "";
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            Verdict verdict;
            Duration next = wait;
            try {
                AlarmMessage message = new AlarmMessage(serverName.get(), at, dropped, alarms);
                HttpAnswer answer =
                        http.post(Posting.of(webhook, message, Instant.ofEpochMilli(time.millis())), config.timeout());
                verdict = Posting.verdict(webhook, answer);
                reason = shown(answer);
                Duration asked = Duration.ofSeconds(Math.min(
                        MAX_WAIT.toSeconds(),
                        Math.max(0, answer.retryAfterSeconds().orElse(0))));
                next = asked.compareTo(wait) > 0 ? asked : wait;
            } catch (IOException e) {
                verdict = Verdict.TRY_AGAIN;
                reason = String.valueOf(e.getMessage());
            } catch (RuntimeException | Error e) { // as when no thread can be started; its text may quote the URL
                verdict = Verdict.TRY_AGAIN;
                reason = "it cannot be posted: " + e.getClass().getSimpleName();
            }
            if (verdict == Verdict.ACCEPTED) {
                totals.sent.addAndGet(count);
                return;
            }
            boolean isLast = verdict == Verdict.REJECTED || attempt == ATTEMPTS || isClosing();
            if (isLast) {
                break;
            }
            LOG.debug("alarms are posted again: webhook={} attempt={} reason={}", number, attempt, reason);
            boolean unused = closing.await(next.toNanos(), TimeUnit.NANOSECONDS); // one attempt more if it closes
            wait = wait.multipliedBy(2);
        }
        totals.failed.addAndGet(count);
        LOG.warn(
                "alarms could not be posted: webhook={} format={} alarms={} reason={}",
                number,
                webhook.format().spelling(),
                count,
                reason);
    }

    /** An answer as logs may have it. It is shortened last: a part of a secret would not be found. */
    private String shown(HttpAnswer answer) {
        String text = answer.text().replaceAll("\\p{Cntrl}", " ");
        for (String secret : secrets) {
            text = Masking.without(secret, text);
        }
        text = Masking.sentence(text);
        text = text.substring(0, Math.min(text.length(), LONGEST_ANSWER));
        String redirected = answer.status() / 100 == 3 ? ", and redirects are not followed" : "";
        return "status %d%s: %s".formatted(answer.status(), redirected, text);
    }

    /** What no log may have, the longest first: many servers answer by the path, or the token in it, to what they do not know. */
    private static List<String> secrets(Webhook webhook) {
        URI url = URI.create(webhook.url().value());
        Set<String> secrets = new HashSet<>(
                List.of(webhook.url().value(), webhook.signingSecret().value()));
        for (String part : Arrays.asList(url.getRawPath(), url.getPath(), url.getRawQuery(), url.getQuery())) {
            if (part != null) {
                secrets.add(part);
                secrets.addAll(Arrays.asList(part.split("[/?&=]")));
            }
        }
        return secrets.stream()
                .filter(secret -> secret.length() >= SHORTEST_TOKEN
                        || secret.equals(webhook.signingSecret().value()))
                .sorted(Comparator.comparing(String::length).reversed())
                .toList();
    }
}
