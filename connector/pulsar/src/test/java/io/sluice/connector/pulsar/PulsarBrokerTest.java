package io.sluice.connector.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.attempt.AttemptProducer;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.testkit.time.HandTime;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.ProducerBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PulsarBrokerTest {
    private final HandTime time = new HandTime();
    private final AtomicReference<String> cause = new AtomicReference<>("");
    private final List<String> names = new ArrayList<>();
    private CompletableFuture<Producer<byte[]>> made = fenced();

    private final PulsarClient client = (PulsarClient) Proxy.newProxyInstance(
            PulsarClient.class.getClassLoader(),
            new Class<?>[] {PulsarClient.class},
            (self, method, arguments) -> switch (method.getName()) {
                case "newProducer" -> builder();
                case "getPartitionsForTopic" -> CompletableFuture.completedFuture(List.of(arguments[0]));
                default -> null;
            });

    private final MessageProducer producer = producer("Exclusive");

    private MessageProducer producer(String accessMode) {
        return new AttemptProducer(
                new PulsarBroker(
                        client,
                        PulsarSettingsReader.read(Map.of(
                                "pulsarmq.serverUrl", "pulsar://127.0.0.1:6650", "pulsarmq.accessMode", accessMode)),
                        new ProducerContext("shop", Ownership.SOLE),
                        time),
                Ownership.SOLE,
                time);
    }

    private ProducerBuilder<?> builder() {
        return (ProducerBuilder<?>) Proxy.newProxyInstance(
                ProducerBuilder.class.getClassLoader(),
                new Class<?>[] {ProducerBuilder.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("producerName")) {
                        names.add((String) arguments[0]);
                    }
                    return method.getName().equals("createAsync") ? made : self;
                });
    }

    private static CompletableFuture<Producer<byte[]>> fenced() {
        return CompletableFuture.failedFuture(
                new PulsarClientException.ProducerFencedException("Topic has an existing exclusive producer"));
    }

    @AfterEach
    void close() {
        producer.close(Duration.ZERO);
    }

    /** After a loss of power it may be one of ours; after that time it is not. */
    @Test
    void anotherExclusiveProducerIsWaitedForAsLongAsItMayBeOneThatIsGone() {
        assertThat(send()).isEqualTo(FailureKind.PASSING);
        waitFor(ProducerNames.LIMIT.minusSeconds(1));
        assertThat(send()).isEqualTo(FailureKind.PASSING);
        assertThat(cause.get()).contains("existing exclusive producer");

        time.passSeconds(1);

        assertThat(send()).isEqualTo(FailureKind.BROKEN);
        assertThat(cause.get())
                .contains(
                        "another producer has had t for 120 s", "pulsarmq.accessMode=Exclusive", "existing exclusive");
    }

    /** What it had sent may still be on its way, as while the broker's storage hangs. */
    @Test
    void anExclusiveProducerThatWasOursIsWaitedForLonger() {
        FakeProducer ours = new FakeProducer();
        made = CompletableFuture.completedFuture(ours.asProducer());
        assertThat(send()).isNull();
        producer.abandon();
        made = fenced();

        assertThat(send()).isEqualTo(FailureKind.PASSING);
        waitFor(ProducerNames.LIMIT_OF_OURS.minusSeconds(1));
        assertThat(send()).isEqualTo(FailureKind.PASSING);
        time.passSeconds(1);
        assertThat(send()).isEqualTo(FailureKind.BROKEN);
    }

    /** The broker answers the same type of failure as to a second producer of one name, and without its name what is on its way could come late. */
    @Test
    void aTopicWithAllItsProducersTakesNoNameAway() {
        try (MessageProducer shared = producer("Shared")) {
            made = CompletableFuture.failedFuture(new PulsarClientException.ProducerBusyException(
                    "Topic 'persistent://public/default/t' reached max producers limit"));
            for (long second = 0; second <= ProducerNames.LIMIT.toSeconds(); second++) {
                assertThat(send(shared)).isEqualTo(FailureKind.PASSING);
                time.passSeconds(1);
            }
            assertThat(cause.get()).contains("raise maxProducersPerTopic");

            assertThat(send(shared)).isEqualTo(FailureKind.PASSING);
        }
        assertThat(names).hasSizeGreaterThan(1).containsOnly(names.get(0));
    }

    /** An older broker answers so if there is no such tenant, and it does while its metadata cannot be read. */
    @Test
    void rightsThatTheBrokerNeverCouldCheckCountAsAMissingTopicAfterAWhile() {
        made = uncheckable();
        waitFor(UncheckedRights.LIMIT);
        time.passSeconds(1);

        assertThat(send()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThat(cause.get()).contains("metadata store", "pulsarmq.topicTenantPrefix");
    }

    @Test
    void aFewAttemptsAtRightsThatTheBrokerCannotCheckAreNotEnough() {
        made = uncheckable();
        for (int i = 1; i < UncheckedRights.ENOUGH; i++) {
            assertThat(send()).isEqualTo(FailureKind.PASSING);
            time.pass(TakenPartitions.LONGEST_GAP);
        }
        assertThat(send()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
    }

    /** As in an outage of the cluster, whose brokers are ready before their metadata store is. */
    @Test
    void anotherFailureBeginsTheTimeAgainForRightsThatTheBrokerCannotCheck() {
        made = uncheckable();
        waitFor(UncheckedRights.LIMIT);
        made = CompletableFuture.failedFuture(new PulsarClientException.ConnectException("Connection refused"));
        time.passSeconds(1);
        assertThat(send()).isEqualTo(FailureKind.PASSING);

        made = uncheckable();
        waitFor(UncheckedRights.LIMIT);
        time.passSeconds(1);

        assertThat(send()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
    }

    @Test
    void aLongTimeWithoutAnAttemptDoesNotCountForRightsThatTheBrokerCannotCheck() {
        made = uncheckable();
        waitFor(UncheckedRights.LIMIT);
        time.pass(TakenPartitions.LONGEST_GAP.plusSeconds(1));

        assertThat(send()).isEqualTo(FailureKind.PASSING);
        waitFor(UncheckedRights.LIMIT.minusSeconds(1));
        time.passSeconds(1);
        assertThat(send()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
    }

    /** Else each message of a table that changes seldom would hold up the others for as long again. */
    @Test
    void rightsThatCountAsAMissingTopicCountSoForTheNextMessageHoweverLateItComes() {
        made = uncheckable();
        waitFor(UncheckedRights.LIMIT);
        time.passSeconds(1);
        assertThat(send()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);

        time.pass(TakenPartitions.LONGEST_GAP.multipliedBy(10));
        assertThat(send()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);

        made = CompletableFuture.failedFuture(new PulsarClientException.ConnectException("Connection refused"));
        assertThat(send()).isEqualTo(FailureKind.PASSING);
        made = uncheckable();
        assertThat(send()).isEqualTo(FailureKind.PASSING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Exception occurred while trying to authorize get Partition Metadata",
                "Access denied for user 'authz'@'h' (using password: YES)",
                "Role sluice is not permitted to write"
            })
    void rightsThatTheBrokerOnceCouldCheckAreWaitedFor(String answer) {
        made = CompletableFuture.completedFuture(new FakeProducer().asProducer());
        assertThat(send()).isNull();
        producer.abandon();
        made = unauthorized(answer);

        waitFor(UncheckedRights.LIMIT.multipliedBy(2));

        assertThat(send()).isEqualTo(FailureKind.PASSING);
        assertThat(cause.get()).contains(answer, "permission to produce", "metadata store");
    }

    /** Else a role that never had a right would be retried for ever where another answer is asked for. */
    @Test
    void aDenialInTheWordsOfAPluginCountsAsAMissingTopicAfterAWhile() {
        made = unauthorized("Role sluice is not permitted to write");
        waitFor(UncheckedRights.LIMIT);
        time.passSeconds(1);

        assertThat(send()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThat(cause.get()).contains("permission to produce", "is not permitted to write");
    }

    @Test
    void aDenialOfTheBrokerCountsAtOnceAlsoAfterADelivery() {
        made = CompletableFuture.completedFuture(new FakeProducer().asProducer());
        assertThat(send()).isNull();
        producer.abandon();
        made = unauthorized("Client is not authorized to Produce");

        assertThat(send()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
    }

    private static CompletableFuture<Producer<byte[]>> uncheckable() {
        return unauthorized("Exception occurred while trying to authorize get Partition Metadata");
    }

    private static CompletableFuture<Producer<byte[]>> unauthorized(String answer) {
        return CompletableFuture.failedFuture(new PulsarClientException.AuthorizationException(answer));
    }

    private void waitFor(Duration duration) {
        for (long second = 0; second < duration.toSeconds(); second++) {
            time.passSeconds(1);
            assertThat(send()).isEqualTo(FailureKind.PASSING);
        }
    }

    /** How a message fails; null if it is not answered. */
    private FailureKind send() {
        return send(producer);
    }

    private FailureKind send(MessageProducer by) {
        by.restart();
        AtomicReference<FailureKind> answer = new AtomicReference<>();
        by.send(new Message("t", 0, new byte[] {1}), new DeliveryCallback() {
            @Override
            public void delivered() {
                throw new AssertionError("no answer was given");
            }

            @Override
            public void failed(Exception why, FailureKind kind) {
                cause.set(String.valueOf(why.getMessage()));
                answer.set(kind);
            }
        });
        return answer.get();
    }
}
