package io.sluice.server.instance;

import io.sluice.connector.api.deliver.Backoff;
import io.sluice.connector.api.deliver.BatchSender;
import io.sluice.connector.api.deliver.DeadLetters;
import io.sluice.connector.api.deliver.RejectionPolicy;
import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.connector.api.deliver.SenderStatus;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.protocol.position.Cursor;
import io.sluice.server.config.BatchMode;
import io.sluice.server.config.FailureConfig;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.MqConfig;
import io.sluice.server.config.StoreConfig;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.BatchLimit;
import io.sluice.stream.source.SmallestCursor;
import java.time.Duration;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends an instance's entries to a broker. */
final class QueueDelivery implements Delivery {
    private static final Logger LOG = LoggerFactory.getLogger(QueueDelivery.class);

    /** How long a producer may take to close whose records are all answered for. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private static final Duration DEFAULT_GET_TIMEOUT = Duration.ofMillis(100);

    private final BatchSender sender;
    private final MessageProducer producer;

    /**
     * Makes one.
     *
     * @param producer its own, which it closes
     */
    QueueDelivery(DeliveryFactory.Parts parts, MqConfig mq, SharedPools pools, MessageProducer producer) {
        InstanceConfig config = parts.config();
        this.producer = producer;
        parts.cursors().subscribe(CursorStore.QUEUE_CLIENT, "");
        warnOfOthers(config.destination(), parts.cursors());
        this.sender = new BatchSender(
                new SenderConfig(
                        config.destination(),
                        limit(config.store(), mq),
                        getTimeout(mq),
                        mq.inFlightBatches(),
                        config.failure().answerLimit()),
                parts.store(),
                parts.cursors(),
                MessageForms.converter(config, mq, producer, pools.workspaces(), pools.time()),
                pools.converters(),
                producer,
                new Backoff(config.failure().firstPause(), config.failure().longestPause(), new SplittableRandom()),
                pools.time(),
                refusals(config.failure(), producer),
                parts.onFailure()::accept);
    }

    /** No other clients are served here, so their cursors never move, and the start is at the smallest of all. */
    private static void warnOfOthers(String destination, CursorStore cursors) {
        Cursor own = cursors.load(CursorStore.QUEUE_CLIENT);
        Cursor smallest = SmallestCursor.of(cursors.subscriptions());
        if (smallest != null && !smallest.equals(own)) {
            LOG.warn(
                    "the cursor of a client that is not served here holds the start back, delete it with sluice.sh cursor"
                            + " if it is not needed any more: instance={} clients={}",
                    destination,
                    cursors.subscriptions().stream().map(Subscription::clientId).toList());
        }
    }

    /** canal takes zero and less for a look at once and a pause of 100 ms. */
    private static Duration getTimeout(MqConfig mq) {
        return mq.getTimeout().isNegative() || mq.getTimeout().isZero() ? DEFAULT_GET_TIMEOUT : mq.getTimeout();
    }

    private static BatchLimit limit(StoreConfig store, MqConfig mq) {
        return store.batchMode() == BatchMode.ITEMSIZE
                ? BatchLimit.entries(mq.batchSize())
                : BatchLimit.bytes((long) mq.batchSize() * store.bytesPerSlot());
    }

    private static RejectionPolicy refusals(FailureConfig failure, MessageProducer producer) {
        RejectionPolicy deadLetters = new DeadLetters(failure.deadLetterTopic(), producer.maxValueBytes());
        RejectionPolicy forMessages = switch (failure.onReject()) {
            case STOP -> RejectionPolicy.STOP;
            case SKIP -> RejectionPolicy.SKIP;
            case DEAD_LETTER -> deadLetters;
        };
        RejectionPolicy forTopics = switch (failure.onTopicUnavailable()) {
            case RETRY -> RejectionPolicy.RETRY;
            case STOP -> RejectionPolicy.STOP;
            case SKIP -> RejectionPolicy.SKIP;
            case DEAD_LETTER -> deadLetters;
        };
        return RejectionPolicy.of(forMessages, forTopics);
    }

    /** What the sender does and has done. */
    SenderStatus status() {
        return sender.status();
    }

    @Override
    public void start() {
        sender.start();
    }

    @Override
    public boolean stop(Duration limit) throws InterruptedException {
        return sender.stop(limit);
    }

    @Override
    public boolean abandon() throws InterruptedException {
        producer.close(Duration.ZERO);
        return sender.stop(Duration.ZERO);
    }

    @Override
    public void close() {
        producer.close(CLOSE_LIMIT);
    }
}
