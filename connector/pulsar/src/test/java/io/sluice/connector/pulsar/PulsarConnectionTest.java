package io.sluice.connector.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.testkit.time.HandTime;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.junit.jupiter.api.Test;

class PulsarConnectionTest {
    private final List<String> answers = new ArrayList<>();
    private PulsarConnection connection;

    /** It was answered only when the send timeout had passed, since the client's own helper throws such an exception again. */
    @Test
    void anUnexpectedExceptionOfTheClientIsAnsweredAtOnce() throws Exception {
        PulsarSettings settings = PulsarSettings.read(Map.of("pulsarmq.serverUrl", "pulsar://127.0.0.1:6650"))
                .settings();
        PulsarClient client = fake(PulsarClient.class, CompletableFuture.completedFuture(List.of("t")));
        Producer<byte[]> producer = failingProducer();
        Attempt attempt = new Attempt(of -> {
            connection = new PulsarConnection(
                    of,
                    settings,
                    Ownership.SOLE,
                    new HandTime(),
                    new PulsarTopics(client, settings),
                    new SendBuffer(1 << 20),
                    partition -> CompletableFuture.completedFuture(producer),
                    Runnable::run);
            return connection;
        });

        connection.send(new Message("t", 0, new byte[] {1}), new DeliveryCallback() {
            @Override
            public void delivered() {
                answers.add("delivered");
            }

            @Override
            public void failed(Exception cause, FailureKind kind) {
                answers.add(kind + " " + cause.getMessage());
            }
        });

        assertThat(answers).containsExactly("PASSING a defect of the client");
        assertThat(attempt.failure()).hasMessage("a defect of the client");
    }

    @SuppressWarnings("unchecked")
    private static Producer<byte[]> failingProducer() {
        TypedMessageBuilder<byte[]> builder = (TypedMessageBuilder<byte[]>) Proxy.newProxyInstance(
                PulsarConnectionTest.class.getClassLoader(),
                new Class<?>[] {TypedMessageBuilder.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("sendAsync")) {
                        throw new IllegalStateException("a defect of the client");
                    }
                    return self;
                });
        return fake(Producer.class, builder);
    }

    /** One whose methods return the same. */
    private static <T> T fake(Class<T> type, Object result) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> result));
    }
}
