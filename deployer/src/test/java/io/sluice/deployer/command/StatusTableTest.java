package io.sluice.deployer.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusTableTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void theLagIsTheLongerOfWhatIsNotReadAndWhatIsNotDelivered() {
        assertThat(lag(7L, 2)).isEqualTo("7s");
        assertThat(lag(0L, 35)).isEqualTo("35s");
        assertThat(lag(null, 35)).isEqualTo("35s");
    }

    /** As while the source cannot be read, which is not a lag of 0. */
    @Test
    void aLagThatIsNotKnownIsADash() {
        assertThat(lag(null, 0)).isEqualTo("-");
    }

    /** A lag of delivery would not be told from one of reading. */
    @Test
    void theBytesThatAreNotReadHaveAColumnOfTheirOwn() {
        ArrayNode instances = JSON.createArrayNode();
        ObjectNode instance = instances.addObject().put("destination", "shop").put("state", "running");
        instance.putObject("source").put("lagSeconds", 0).put("lagBytes", 2_500_000);
        instance.put("deliveryDelaySeconds", 35);
        instances.addObject().put("destination", "till").put("state", "stopped");

        List<String> lines = StatusTable.lines(instances);

        assertThat(lines.get(0).split("\\s+")).startsWith("INSTANCE", "STATE", "POSITION", "LAG", "UNREAD");
        assertThat(lines.get(1).split("\\s+")).startsWith("shop", "running", "-", "35s", "2.5MB");
        assertThat(lines.get(2).split("\\s+")).startsWith("till", "stopped", "-", "-", "-");
    }

    /** It stops only after some minutes, if at all. */
    @Test
    void aBrokerThatDoesNotAdmitTheInstanceIsNamed() {
        ArrayNode instances = JSON.createArrayNode();
        ObjectNode instance = instances.addObject().put("destination", "shop").put("state", "running");
        instance.putObject("sender").put("notAdmitted", "rabbitmq.password: wrong");

        assertThat(StatusTable.lines(instances))
                .last()
                .isEqualTo("shop: the broker does not admit it, which is tried again: rabbitmq.password: wrong");
    }

    private static String lag(Long read, long delivered) {
        ArrayNode instances = JSON.createArrayNode();
        ObjectNode instance = instances.addObject().put("destination", "shop").put("state", "running");
        instance.putObject("source").put("lagSeconds", read);
        instance.put("deliveryDelaySeconds", delivered);
        return StatusTable.lines(instances).get(1).split("\\s+")[3];
    }
}
