package io.sluice.connector.kafka.produce;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many requests are sent to a broker by how soon it answers. */
class AnswerTimesTest {
    private final AnswerTimes times = new AnswerTimes(Duration.ofSeconds(10));

    /** Or the first requests could all time out. */
    @Test
    void aBrokerThatHasNotAnsweredIsSentOne() {
        assertThat(times.maxInFlight("1")).isEqualTo(1);
        assertThat(times.lastOf("1")).isNull();
    }

    /** Five requests that wait for each other have the last one answered after five times as long as a lone one. */
    @ParameterizedTest
    @CsvSource({"0, 9223372036854775807", "100, 50", "500, 10", "1000, 5", "2400, 2", "2600, 1", "9000, 1"})
    void theLongerAnAnswerTakesTheFewerRequestsAreInFlight(int latencyMillis, long most) {
        times.note(answer("1", latencyMillis), 7);

        assertThat(times.maxInFlight("1")).isEqualTo(most);
        assertThat(times.lastOf("1")).isEqualTo(7);
        assertThat(times.maxInFlight("2")).as("another broker").isEqualTo(1);
    }

    @Test
    void afterATimeoutRequestsAreSentOneByOneUntilOneIsAnswered() {
        times.note(answer("1", 100), 7);
        times.note(lost("1", false), 8);
        assertThat(times.maxInFlight("1")).as("a lost connection").isEqualTo(50);

        times.note(lost("1", true), 9);
        assertThat(times.maxInFlight("1")).isEqualTo(1);
        assertThat(times.lastOf("1")).isEqualTo(7);

        times.note(answer("1", 100), 10);
        assertThat(times.maxInFlight("1")).isEqualTo(50);
    }

    /** A connection on which nothing was answered may be lost meanwhile. */
    @Test
    void thePauseAfterAnAnswerByWhichABrokerKeepsAQuotaIsKnown() {
        times.note(answer("1", 100), 7);
        assertThat(times.throttleEndOf("1")).isNull();
        assertThat(times.throttleEndOf("2")).isNull();

        ProduceResponse throttled = new ProduceResponse(new ProduceResponseData().setThrottleTimeMs(40_000));
        times.note(response("1", 100, false, false, throttled), 8);
        times.note(lost("1", true), 9);
        assertThat(times.throttleEndOf("1")).isEqualTo(40_000_000_008L);

        times.note(answer("1", 100), 10);
        assertThat(times.throttleEndOf("1")).isNull();
    }

    private static ClientResponse answer(String node, long latencyMillis) {
        return response(node, latencyMillis, false, false, new ProduceResponse(new ProduceResponseData()));
    }

    private static ClientResponse lost(String node, boolean isTimedOut) {
        return response(node, 1, true, isTimedOut, null);
    }

    private static ClientResponse response(
            String node, long latencyMillis, boolean isLost, boolean isTimedOut, @Nullable ProduceResponse body) {
        RequestHeader header = new RequestHeader(ApiKeys.PRODUCE, (short) 9, "test", 1);
        return new ClientResponse(header, null, node, 0, latencyMillis, isLost, isTimedOut, null, null, body);
    }
}
