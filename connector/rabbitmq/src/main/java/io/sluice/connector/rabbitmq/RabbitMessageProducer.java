package io.sluice.connector.rabbitmq;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes to one exchange, with the topic as the routing key.
 *
 * <p>A message is delivered when the broker has confirmed it. The first failure other than a refused message ends the
 * connection; {@link #restart} makes a new one, which sends nothing before the broker has let go of the old one.
 */
final class RabbitMessageProducer implements MessageProducer {
    private static final Logger LOG = LoggerFactory.getLogger(RabbitMessageProducer.class);

    private static final long WATCH_MILLIS = 250;
    private static final Duration A_DAY = Duration.ofDays(1);

    private final RabbitSettings settings;
    private final Ownership ownership;
    private final Time time;
    private final Fence fence;
    private final Caution caution = new Caution();
    private final ScheduledExecutorService watch;
    private final Object restarting = new Object();

    private volatile Link link;
    private volatile boolean closed;

    /** Connects with the first message. */
    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the executor
    RabbitMessageProducer(RabbitSettings settings, Ownership ownership, Time time) {
        this.settings = settings;
        this.ownership = ownership;
        this.time = time;
        this.fence = new Fence(settings.fenced(), time);
        this.link = new Link(settings, ownership, fence, caution, time);
        this.watch = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "rabbitmq-watch");
            thread.setDaemon(true);
            return thread;
        });
        watch.scheduleWithFixedDelay(this::watch, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** An exception would end the executor's task, and with it the limits to silence, without a sign. */
    private void watch() {
        try {
            link.watch();
        } catch (RuntimeException e) {
            LOG.error("could not check the messages in flight, trying again: periodMs={}", WATCH_MILLIS, e);
        }
    }

    @Override
    public void send(Message message, DeliveryCallback callback) {
        if (closed) {
            callback.failed(new IllegalStateException("the producer was closed"), FailureKind.BROKEN);
            return;
        }
        link.send(message, callback);
    }

    @Override
    public int maxValueBytes() {
        return settings.maxMessageBytes();
    }

    @Override
    public void flush() throws InterruptedException {
        boolean unused = link.awaitAnswers(A_DAY); // all is answered before, by the broker or the watch
    }

    @Override
    public void restart() {
        synchronized (restarting) {
            Link old = link;
            if (closed || old.failure() == null) {
                return;
            }
            if (old.hasEnded()) {
                link = new Link(settings, ownership, fence, caution, time);
            } else {
                old.forgive();
            }
        }
    }

    @Override
    public void abandon() {
        link.end(new SendFailure(FailureKind.PASSING, "given up, since RabbitMQ does not answer"));
    }

    @Override
    public void close(Duration longest) {
        synchronized (restarting) {
            if (closed) {
                return;
            }
            closed = true;
        }
        try {
            boolean unused = link.awaitAnswers(longest); // what is left then fails
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        link.close(longest);
        watch.shutdownNow();
    }
}
