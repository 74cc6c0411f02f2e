package io.sluice.connector.kafka.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.kafka.settings.KafkaSettings;
import io.sluice.connector.kafka.settings.KafkaSettingsReader;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.UnsupportedSaslMechanismException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Before there is a first transaction. */
@Timeout(300)
class TransactionalKafkaProducerTest {
    private final HandTime time = new HandTime();
    private final List<Rejected> connections = Collections.synchronizedList(new ArrayList<>());
    private final List<String> answers = Collections.synchronizedList(new ArrayList<>());

    /** A producer that a broker does not admit. */
    private static final class Rejected extends MockProducer<byte[], byte[]> {
        Rejected() {
            initTransactionException = new UnsupportedSaslMechanismException("PLAIN");
        }
    }

    private Producer<byte[], byte[]> connect() {
        Rejected next = new Rejected();
        connections.add(next);
        return next;
    }

    /** The cause may be corrected by now, and nothing has told it. */
    @Test
    void aLoginThatWasRejectedLongBeforeTheFirstRecordIsTriedAgain() {
        KafkaSettings settings = KafkaSettingsReader.read(
                Map.of("kafka.bootstrap.servers", "127.0.0.1:1", "kafka.transactional.id", "test"));
        TransactionalKafkaProducer producer =
                TransactionalKafkaProducer.open(batchBytes -> connect(), settings, Ownership.SOLE, time);
        try {
            await().until(() -> connections.get(0).closed());
            time.pass(TransactionalKafkaProducer.FRESH.plusMillis(1));
            send(producer);
            assertThat(connections).hasSize(2);
            time.pass(TransactionalKafkaProducer.FRESH.plusMillis(1));
            send(producer);
            assertThat(connections).as("by the first one only").hasSize(2);

            producer.restart();
            send(producer);
            assertThat(connections).hasSize(3);
            assertThat(answers).hasSize(3).containsOnly("BROKEN NotAdmittedException");
        } finally {
            producer.close(Duration.ZERO);
        }
    }

    /** As by what gives out tokens and is silent. Each attempt that is counted would be two. */
    @Test
    void aLoginThatFailsAfterALongTimeIsNotTriedAgainAtOnce() {
        KafkaSettings settings = KafkaSettingsReader.read(
                Map.of("kafka.bootstrap.servers", "127.0.0.1:1", "kafka.transactional.id", "test"));
        AtomicInteger tries = new AtomicInteger();
        TransactionalKafkaProducer producer = TransactionalKafkaProducer.open(
                batchBytes -> {
                    tries.incrementAndGet();
                    time.pass(TransactionalKafkaProducer.FRESH.plusMillis(1));
                    throw NotAdmittedException.thatMayPass("no token", new IllegalStateException("no answer"));
                },
                settings,
                Ownership.SOLE,
                time);
        try {
            send(producer);
            assertThat(tries).hasValue(1);

            producer.restart();
            send(producer);
            assertThat(tries).hasValue(2);
            assertThat(answers).hasSize(2).containsOnly("BROKEN NotAdmittedException");
        } finally {
            producer.close(Duration.ZERO);
        }
    }

    private void send(TransactionalKafkaProducer producer) {
        producer.send(new Message("shop", 0, new byte[10]), new DeliveryCallback() {
            @Override
            public void delivered() {
                answers.add("delivered");
            }

            @Override
            public void failed(Exception cause, FailureKind kind) {
                answers.add(kind + " " + cause.getClass().getSimpleName());
            }
        });
    }
}
