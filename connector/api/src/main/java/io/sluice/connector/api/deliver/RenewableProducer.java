package io.sluice.connector.api.deliver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A producer that is closed when it is abandoned, and then takes another one of the same kind, so that any producer can be
 * abandoned whose close fails what it holds.
 */
public final class RenewableProducer implements MessageProducer {
    private static final Logger LOG = LoggerFactory.getLogger(RenewableProducer.class);

    private final Supplier<MessageProducer> maker;
    private final Object lock = new Object();

    @GuardedBy("lock") private boolean isClosed;

    private volatile boolean isAbandoned;
    private volatile MessageProducer current;

    /** Makes the first producer. */
    public RenewableProducer(Supplier<MessageProducer> maker) {
        this.maker = maker;
        this.current = maker.get();
    }

    @Override
    public void send(Message message, DeliveryCallback callback) {
        if (isAbandoned) {
            callback.failed(new IllegalStateException("not sent, since there is no producer"), FailureKind.PASSING);
        } else {
            current.send(message, callback);
        }
    }

    @Override
    public OptionalInt partitionsOf(String topic) {
        return current.partitionsOf(topic);
    }

    @Override
    public void announce(String topic, int partitions) {
        current.announce(topic, partitions);
    }

    @Override
    public int maxValueBytes() {
        return current.maxValueBytes();
    }

    @Override
    public void flush() throws InterruptedException {
        current.flush();
    }

    @Override
    public boolean abandon() {
        synchronized (lock) {
            if (!isClosed) {
                isAbandoned = true;
            }
        }
        current.close(Duration.ZERO);
        return true;
    }

    @Override
    public void restart() {
        synchronized (lock) {
            if (isAbandoned && !isClosed) {
                try {
                    current = maker.get();
                    isAbandoned = false;
                } catch (RuntimeException e) { // such as a name that cannot be resolved now: the next record fails, too
                    LOG.warn("no new producer can be made: cause={}", String.valueOf(e.getMessage()));
                }
                return;
            }
        }
        current.restart();
    }

    @Override
    public void close(Duration longest) {
        synchronized (lock) {
            isClosed = true;
        }
        current.close(longest);
    }
}
