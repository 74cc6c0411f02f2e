package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class CursorCallsTest {
    @Test
    void theAnswerSaysWhyTheInstanceIsNotStartedAgain() {
        JsonNode answer = CursorCalls.json(List.of("SKIPPED all"), "no broker");

        assertThat(answer.path("lines"))
                .extracting(JsonNode::asText)
                .containsExactly("SKIPPED all", "the instance could not be started again: no broker");
        assertThat(answer.path("notStarted").asText()).isEqualTo("the instance could not be started again: no broker");
        assertThat(CursorCalls.json(List.of("SKIPPED all"), null).has("notStarted"))
                .isFalse();
    }
}
