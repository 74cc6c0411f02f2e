package io.sluice.connector.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.testkit.proxy.Gate;
import io.sluice.testkit.proxy.NarrowProxy;
import io.sluice.testkit.pulsar.PulsarOptions;
import io.sluice.testkit.pulsar.PulsarServer;
import io.sluice.testkit.pulsar.PulsarTokens;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends to a single broker that does not take messages for a while, or takes them slowly. */
@Timeout(300)
class PulsarWaitingIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final PulsarTokens TOKENS = new PulsarTokens("sluice");

    private static PulsarServer pulsar;

    /** In front of the broker's second address. */
    private static Gate gate;

    private static volatile IntSupplier gated = () -> pulsar.port();

    @BeforeAll
    static void startBroker() {
        gate = new Gate(() -> gated.getAsInt());
        pulsar = PulsarServer.start(PulsarOptions.defaults()
                .withTokens(TOKENS)
                .viaGate(gate.port())
                .with("backlogQuotaCheckIntervalInSeconds", "1"));
    }

    @AfterAll
    static void stopBroker() {
        gate.close();
        if (pulsar != null) {
            pulsar.close();
        }
    }

    private static Map<String, String> settings(String... others) {
        Map<String, String> settings = new HashMap<>();
        settings.put("pulsarmq.serverUrl", pulsar.serviceUrl());
        settings.put("pulsarmq.topicTenantPrefix", "public/default");
        settings.put("pulsarmq.roleToken", TOKENS.token(PulsarTokens.SUPERUSER));
        settings.put("pulsarmq.sendTimeoutMs", "4000");
        for (int i = 0; i < others.length; i += 2) {
            settings.put(others[i], others[i + 1]);
        }
        return settings;
    }

    /** The client's question whether the broker lives waits behind the message. */
    @ParameterizedTest
    @Tag("thorough")
    @ValueSource(strings = {"pulsar://127.0.0.1:%d", "pulsar://127.0.0.1:%d,localhost:%1$d"})
    void aMessageThatLeavesSlowlyIsDelivered(String url) throws Exception {
        try (NarrowProxy narrow = new NarrowProxy(270_000, pulsar::port);
                MessageProducer producer = new PulsarConnector()
                        .configure(settings(
                                "pulsarmq.serverUrl",
                                url.formatted(gate.port()),
                                "pulsarmq.listenerName",
                                PulsarOptions.GATE,
                                "pulsarmq.sendTimeoutMs",
                                "15000"))
                        .create(new ProducerContext("slow", Ownership.SOLE))) {
            gated = narrow::port;
            Answers.Answer answer = Answers.of(producer, new Message("slow", 0, new byte[3_000_000]));

            assertThat(answer.kind()).as(String.valueOf(answer.cause())).isNull();
        } finally {
            gated = pulsar::port;
        }
        assertThat(pulsar.reader().readToEnd("slow", TIMEOUT)).isNotEmpty().allSatisfy(message -> assertThat(
                        message.value())
                .hasSize(3_000_000));
    }
}
