package io.sluice.connector.kafka;

import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** What became of a record. */
final class Answer implements DeliveryCallback {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final CompletableFuture<FailureKind> kind = new CompletableFuture<>();
    private volatile Exception cause;

    /** Sends a text. */
    static Answer to(MessageProducer producer, String topic, int partition, String text) {
        return to(producer, new Message(topic, partition, text.getBytes(StandardCharsets.UTF_8)));
    }

    static Answer to(MessageProducer producer, Message message) {
        Answer answer = new Answer();
        producer.send(message, answer);
        return answer;
    }

    @Override
    public void delivered() {
        kind.complete(null);
    }

    @Override
    public void failed(Exception why, FailureKind what) {
        cause = why;
        kind.complete(what);
    }

    boolean isGiven() {
        return kind.isDone();
    }

    /** Waits for it; null if the record was delivered. */
    FailureKind kind() {
        if (!kind.isDone()) {
            await().atMost(TIMEOUT).until(kind::isDone);
        }
        return kind.join();
    }

    /** Why the record failed; null if it did not. */
    Exception cause() {
        FailureKind unused = kind();
        return cause;
    }
}
