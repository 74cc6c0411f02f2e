package io.sluice.connector.kafka.client;

import io.sluice.protocol.time.Time;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.time.Duration;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.internals.TransactionManager;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.utils.internals.ProducerIdAndEpoch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The producer id and epoch by which brokers know an idempotent producer, to be continued by the one that replaces it.
 *
 * <p>A producer that was closed after a failure may still have requests on their way: in a socket, or in a broker that is slow. With
 * an id of its own, the next producer cannot be distinguished from another client, so such a request would be stored after its
 * repetition. With the same id and the next epoch, a broker rejects it as soon as it has a record of the new epoch in that
 * partition. Kafka's producer increments its epoch in the same way when it does not know what became of a batch (KIP-360), but has no
 * method for a successor; so its fields are set, before the first record is handed over.
 */
public final class KeptProducerId {
    private static final Logger LOG = LoggerFactory.getLogger(KeptProducerId.class);
    private static final Duration POLL = Duration.ofMillis(2);

    /** The parts of Kafka's client that are not public; null if this version of it has others. */
    private static final @Nullable Internals INTERNALS = Internals.find();

    private final ProducerIdAndEpoch last;

    private KeptProducerId(ProducerIdAndEpoch last) {
        this.last = last;
    }

    private record Internals(Field manager, Field identity, Method hasFatalError) {
        static @Nullable Internals find() {
            try {
                Field manager = KafkaProducer.class.getDeclaredField("transactionManager");
                Field identity = TransactionManager.class.getDeclaredField("producerIdAndEpoch");
                Method hasFatalError = TransactionManager.class.getDeclaredMethod("hasFatalError");
                manager.setAccessible(true);
                identity.setAccessible(true);
                hasFatalError.setAccessible(true);
                return new Internals(manager, identity, hasFatalError);
            } catch (ReflectiveOperationException | RuntimeException e) {
                LOG.warn(
                        "this version of Kafka's client does not let a producer id be continued: after a failure, a request that"
                                + " is still on its way may be stored after its repetition: cause={}",
                        String.valueOf(e));
                return null;
            }
        }

        /** Null if the producer is not idempotent. */
        @Nullable TransactionManager managerOf(Producer<?, ?> producer) throws IllegalAccessException {
            return producer instanceof KafkaProducer ? (TransactionManager) manager.get(producer) : null;
        }

        ProducerIdAndEpoch identityOf(TransactionManager of) throws IllegalAccessException {
            return (ProducerIdAndEpoch) identity.get(of);
        }

        void setIdentity(TransactionManager of, ProducerIdAndEpoch next) throws IllegalAccessException {
            synchronized (of) { // as its own methods are
                identity.set(of, next);
            }
        }

        /** Waits; false if there is none; the first record then fails with that reason. */
        boolean awaitOwnId(TransactionManager of, Duration limit, Time time) throws ReflectiveOperationException {
            long begin = time.nanos();
            while (!of.hasProducerId()) {
                if (Boolean.TRUE.equals(hasFatalError.invoke(of))) {
                    return false;
                }
                if (time.nanos() - begin > limit.toNanos()) {
                    throw new TimeoutException(
                            "the brokers have not given a producer id for %d ms".formatted(limit.toMillis()));
                }
                try {
                    time.sleep(POLL);
                } catch (InterruptedException e) {
                    throw new InterruptException(e); // sets the thread's flag
                }
            }
            return true;
        }
    }

    /** Whether this version of Kafka's client lets an identity be continued. */
    public static boolean isSupported() {
        return INTERNALS != null;
    }

    /** The identity of a producer by now; null if it has none. */
    static @Nullable KeptProducerId of(Producer<?, ?> producer) {
        Internals internals = INTERNALS;
        if (internals == null) {
            return null;
        }
        try {
            TransactionManager manager = internals.managerOf(producer);
            return manager == null || !manager.hasProducerId()
                    ? null
                    : new KeptProducerId(internals.identityOf(manager));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e); // they were made accessible
        }
    }

    /**
     * Has a producer continue this identity with the next epoch. It must not have been given a record.
     *
     * @param limit how long to wait until it has an id of its own, which is replaced
     * @throws TimeoutException if it has none in time
     */
    void passTo(Producer<?, ?> successor, Duration limit, Time time) {
        Internals internals = INTERNALS;
        if (internals == null) {
            return;
        }
        try {
            TransactionManager manager = internals.managerOf(successor);
            if (manager == null || !internals.awaitOwnId(manager, limit, time)) {
                return;
            }
            if (last.epoch == Short.MAX_VALUE) { // as Kafka's producer does
                LOG.info("all epochs of a producer id are used up, taking a new one: producerId={}", last.producerId);
                return;
            }
            ProducerIdAndEpoch next = new ProducerIdAndEpoch(last.producerId, (short) (last.epoch + 1));
            internals.setIdentity(manager, next);
            LOG.info("continuing a producer id: producerId={} epoch={}", next.producerId, next.epoch);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e); // they were made accessible
        }
    }
}
