package io.sluice.server.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.TextEntry;
import io.sluice.connector.api.convert.Converters;
import io.sluice.connector.api.deliver.BatchSender;
import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.connector.api.deliver.SenderState;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.UnbufferedProducer;
import io.sluice.connector.api.route.FixedRouter;
import io.sluice.protocol.time.Backoff;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import java.time.Duration;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class QueueDeliveryTest {
    private static final Duration SHORT = Duration.ofMillis(10);

    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** As at each loss of the ownership: an operator would be told to remove the cause of a failure. */
    @Test
    void anInstanceThatIsAbandonedHasNotFailed() throws InterruptedException {
        EntryRing ring = new EntryRing(new RingConfig(1024, 1024, false));
        MemoryCursorStore cursors = new MemoryCursorStore();
        cursors.subscribe(Subscription.QUEUE_CLIENT, "");
        SlowlyClosed producer = new SlowlyClosed();
        BatchSender sender = new BatchSender(
                new SenderConfig("shop", BatchLimit.entries(2), SHORT, 8),
                ring,
                cursors,
                Converters.OF_TEXTS.flat(new FixedRouter("shop", 0), Time.SYSTEM),
                Runnable::run,
                producer,
                new Backoff(SHORT, SHORT, new Random(1)),
                Time.SYSTEM,
                RejectionPolicy.STOP,
                failure::set);
        producer.hasSenderEnded = () -> sender.status().state() == SenderState.STOPPED || failure.get() != null;
        QueueDelivery delivery = new QueueDelivery("shop", sender, producer);
        ring.put(TextEntry.range(0, 2));
        delivery.start();
        await().until(() -> producer.unanswered.size() == 2);

        assertThat(delivery.abandon()).as("what was sent may arrive").isFalse();

        assertThat(failure.get()).isNull();
        assertThat(sender.status().state()).isEqualTo(SenderState.STOPPED);
    }

    /** A producer whose close takes so long that the sender can use it meanwhile. */
    private static final class SlowlyClosed extends UnbufferedProducer {
        private final Queue<DeliveryCallback> unanswered = new ConcurrentLinkedQueue<>();
        private BooleanSupplier hasSenderEnded = () -> true;

        @Override
        public void send(Message message, DeliveryCallback callback) {
            unanswered.add(callback);
        }

        @Override
        public void close(Duration longest) {
            unanswered.forEach(callback -> callback.failed(new IllegalStateException("closed"), FailureKind.BROKEN));
            unanswered.clear();
            await().until(hasSenderEnded::getAsBoolean);
        }
    }
}
