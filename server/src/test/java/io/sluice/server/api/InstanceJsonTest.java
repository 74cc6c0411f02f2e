package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.connector.api.deliver.SenderState;
import io.sluice.connector.api.deliver.SenderStatus;
import io.sluice.connector.api.deliver.failure.DeliveryFailure;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.Throughput;
import io.sluice.server.health.InstanceHealth;
import io.sluice.server.health.Stage;
import io.sluice.server.health.Stall;
import io.sluice.server.instance.ErrorLog;
import io.sluice.server.instance.InstanceState;
import io.sluice.server.pace.PaceStatus;
import io.sluice.server.pace.RateLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the state of an instance says about the reason why it makes no progress. */
class InstanceJsonTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final ErrorLog.Item REFUSED =
            item(NOW.minusSeconds(10), "source", "unreachable", "connection refused");
    private static final ErrorLog.Item REJECTED =
            item(NOW.minusSeconds(20), "delivery", "delivery_failed", "not leader");

    @Test
    void theErrorOfAFailureOfTheSourceIsItsCause() {
        assertThat(cause(InstanceState.RETRYING, SourceFailure.UNREACHABLE, null, REJECTED, REFUSED)
                        .path("message")
                        .asText())
                .isEqualTo("connection refused");
        assertThat(cause(InstanceState.RETRYING, SourceFailure.PURGED, null, REFUSED)
                        .isMissingNode())
                .isTrue();
    }

    @Test
    void theNewestErrorOfAFailedInstanceIsItsCauseAndIsShortened() {
        ErrorLog.Item purged = item(NOW.minusSeconds(500), "instance", "failed", "without " + "a:1-7,".repeat(100));

        assertThat(cause(InstanceState.FAILED, SourceFailure.PURGED, null, purged, REFUSED)
                        .path("message")
                        .asText())
                .startsWith("without a:1-7,")
                .hasSize(301)
                .endsWith("…");
    }

    /** The state is RUNNING between two failures of a source. */
    @Test
    void anErrorSinceTheLastProgressIsTheCauseOfAStallOfItsStage() {
        assertThat(cause(InstanceState.RUNNING, null, Stage.SOURCE, REJECTED, REFUSED)
                        .path("part")
                        .asText())
                .isEqualTo("source");
        assertThat(cause(InstanceState.RUNNING, null, Stage.BROKER, REFUSED, REJECTED)
                        .path("message")
                        .asText())
                .isEqualTo("not leader");
        assertThat(cause(
                                InstanceState.RUNNING,
                                null,
                                Stage.BROKER,
                                item(NOW.minusSeconds(71), "delivery", "delivery_failed", "not leader"))
                        .isMissingNode())
                .isTrue();
    }

    @Test
    void aBrokerThatDoesNotAdmitTheProducerIsNamedUntilSomethingIsAcked() {
        NotAdmittedException refused = new NotAdmittedException("wrong password", new IllegalStateException());

        assertThat(sender(1, refused).path("notAdmitted").asText()).isEqualTo("wrong password");
        assertThat(sender(0, refused).has("notAdmitted")).isFalse();
        assertThat(sender(1, new IllegalStateException()).has("notAdmitted")).isFalse();
    }

    private static ObjectNode sender(int failuresInARow, Exception lastFailure) {
        ObjectNode json = new ObjectMapper().createObjectNode();
        InstanceJson.sender(
                json,
                new SenderStatus(
                        SenderState.BACKING_OFF,
                        Duration.ZERO,
                        1,
                        1,
                        0,
                        0,
                        0,
                        1,
                        failuresInARow,
                        0,
                        0,
                        0,
                        0,
                        new DeliveryFailure(7, lastFailure, FailureKind.BROKEN),
                        Duration.ZERO,
                        Duration.ZERO));
        return json;
    }

    @Test
    void anErrorOfAnotherPartIsNotTheCauseOfAStallOfTheDelivery() {
        ErrorLog.Item zooKeeper = item(NOW.minusSeconds(5), "instance", "zookeeper", "session expired");

        assertThat(cause(InstanceState.RUNNING, null, Stage.BROKER, zooKeeper).isMissingNode())
                .isTrue();
        assertThat(cause(InstanceState.RUNNING, null, Stage.SENDER, zooKeeper, REJECTED)
                        .path("message")
                        .asText())
                .isEqualTo("not leader");
    }

    @Test
    void aWaitForClientsHasNone() {
        assertThat(cause(InstanceState.RUNNING, null, Stage.CLIENTS, REJECTED).isMissingNode())
                .isTrue();
    }

    @Test
    void anInstanceThatMakesProgressHasNone() {
        assertThat(cause(InstanceState.RUNNING, null, null, REFUSED).isMissingNode())
                .isTrue();
    }

    /** Of a failure of the source, such as a rejected login, there are many reasons. */
    @Test
    void theRemedyIsThatOfTheNewestErrorOfItsKind() {
        ErrorLog.Item locked = new ErrorLog.Item(NOW, 1, "source", "authentication", "locked", "unlock the account");
        ErrorLog.Item earlier = new ErrorLog.Item(NOW, 1, "source", "authentication", "wrong", "correct the password");

        assertThat(remedy(SourceFailure.AUTHENTICATION, REJECTED, locked, earlier))
                .isEqualTo("unlock the account");
        assertThat(remedy(SourceFailure.PURGED, locked)).isEqualTo(SourceFailure.PURGED.remedy());
    }

    private static String remedy(SourceFailure failure, ErrorLog.Item... errors) {
        return InstanceJson.of(snapshot(InstanceState.FAILED, failure, null, errors), NOW.toEpochMilli())
                .path("sourceFailure")
                .path("remedy")
                .asText();
    }

    private static ErrorLog.Item item(Instant time, String part, String kind, String message) {
        return new ErrorLog.Item(time, 1, part, kind, message, "");
    }

    private static JsonNode cause(
            InstanceState state, @Nullable SourceFailure failure, @Nullable Stage stalled, ErrorLog.Item... errors) {
        return InstanceJson.of(snapshot(state, failure, stalled, errors), NOW.toEpochMilli())
                .path("cause");
    }

    private static InstanceSnapshot snapshot(
            InstanceState state, @Nullable SourceFailure failure, @Nullable Stage stalled, ErrorLog.Item... errors) {
        Stall stall = stalled == null ? null : new Stall(stalled, Duration.ofSeconds(70));
        return new InstanceSnapshot(
                "shop",
                false,
                Optional.empty(),
                Optional.of(new InstanceHealth("shop", state, stall, failure)),
                new PaceStatus(false, null, null, null, RateLimits.NONE),
                List.of(errors),
                Throughput.NONE,
                null,
                null);
    }
}
