package io.sluice.connector.pulsar;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.TypedMessageBuilder;

/** A producer of Pulsar's client, for a test that answers its messages. For one thread. */
final class FakeProducer {
    private final List<CompletableFuture<MessageId>> sent = new ArrayList<>();
    private int flushes;
    private boolean closed;
    private final CompletableFuture<Void> closeAnswer;
    private final int partitions;

    FakeProducer() {
        this(0, CompletableFuture.completedFuture(null));
    }

    /** One whose closing is answered by the test. */
    FakeProducer(CompletableFuture<Void> closeAnswer) {
        this(0, closeAnswer);
    }

    /** The producer that the client makes for a topic with so many partitions. */
    FakeProducer(int partitions) {
        this(partitions, CompletableFuture.completedFuture(null));
    }

    private FakeProducer(int partitions, CompletableFuture<Void> closeAnswer) {
        this.partitions = partitions;
        this.closeAnswer = closeAnswer;
    }

    /** What the client would answer to each message, in the order of sending. */
    List<CompletableFuture<MessageId>> sent() {
        return sent;
    }

    /** How often it was told to send what it has. */
    int flushes() {
        return flushes;
    }

    boolean isClosed() {
        return closed;
    }

    /** Fails messages as the client does with those of a batch: the first one first. */
    void failBatch(int from, int to, Exception cause) {
        sent.subList(from, to).forEach(message -> message.completeExceptionally(cause));
    }

    @SuppressWarnings("unchecked")
    Producer<byte[]> asProducer() {
        return (Producer<byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Producer.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "newMessage" -> message();
                    case "getNumOfPartitions" -> partitions;
                    case "getTopic" -> "t";
                    case "flushAsync" -> {
                        flushes++;
                        yield CompletableFuture.completedFuture(null);
                    }
                    case "closeAsync" -> {
                        closed = true;
                        yield closeAnswer;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    @SuppressWarnings("unchecked")
    private TypedMessageBuilder<byte[]> message() {
        return (TypedMessageBuilder<byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {TypedMessageBuilder.class}, (self, method, arguments) -> {
                    if (!method.getName().equals("sendAsync")) {
                        return self;
                    }
                    CompletableFuture<MessageId> answer = new CompletableFuture<>();
                    sent.add(answer);
                    return answer;
                });
    }
}
