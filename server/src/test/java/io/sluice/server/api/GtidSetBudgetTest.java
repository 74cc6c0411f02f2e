package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import org.junit.jupiter.api.Test;

class GtidSetBudgetTest {
    private static final int MIB = 1024 * 1024;

    private final ArrayNode instances = new ObjectMapper().createArrayNode();

    @Test
    void setsThatFitTogetherStay() {
        add(3 * MIB);
        add(MIB);

        GtidSetBudget.apply(instances);

        assertThat(position(0).path("gtidSet").asText()).hasSize(3 * MIB);
        assertThat(position(0).has("gtidSetCharacters")).isFalse();
        assertThat(position(1).path("gtidSet").asText()).hasSize(MIB);
    }

    /** Else an admin server, which reads events of 8 MiB, would see none of the instances. */
    @Test
    void theLongestAreLeftOutIfTheyDoNotFitTogether() {
        add(3 * MIB);
        add(2 * MIB);
        add(100);
        instances.addObject().put("destination", "one that does not run");

        GtidSetBudget.apply(instances);

        assertThat(position(1).path("gtidSet").asText()).hasSize(2 * MIB);
        assertThat(position(0).path("gtidSet").isNull()).isTrue();
        assertThat(position(0).path("gtidSetCharacters").asInt()).isEqualTo(3 * MIB);
        assertThat(position(0).path("file").asText()).isEqualTo("binlog.000001");
        assertThat(position(2).path("gtidSet").asText()).hasSize(100);
    }

    @Test
    void ofSetsOfOneLengthOnlyAsManyAreLeftOutAsNecessary() {
        for (int i = 0; i < 5; i++) {
            add(MIB);
        }

        GtidSetBudget.apply(instances);

        for (int i = 0; i < 4; i++) {
            assertThat(position(i).path("gtidSet").asText()).hasSize(MIB);
        }
        assertThat(position(4).path("gtidSet").isNull()).isTrue();
        assertThat(position(4).path("gtidSetCharacters").asInt()).isEqualTo(MIB);
    }

    private JsonNode position(int instance) {
        return instances.get(instance).path("position");
    }

    private void add(int characters) {
        instances.addObject().putObject("position").put("file", "binlog.000001").put("gtidSet", "g".repeat(characters));
    }
}
