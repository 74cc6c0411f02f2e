package io.sluice.server.config.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ProducerKeysTest {
    /** What is set by it is checked as what is set by the key; of a key that is a connector's own, by the connector. */
    @Test
    void anOldNameHasTheTypeOfItsKey() {
        Map<String, Object> checked = new TreeMap<>();
        for (Map.Entry<String, List<String>> old : ProducerKeys.allAliases().entrySet()) {
            List<Object> types = new ArrayList<>();
            for (String name : old.getValue()) {
                Key<?> known = Keys.find(name);
                if (known != null) {
                    types.add(known.type());
                }
            }
            Key<?> key = Objects.requireNonNull(Keys.find(old.getKey()), old.getKey());
            if (types.isEmpty()) {
                assertThat(key.type()).as(old.getKey()).isEqualTo(ValueType.TEXT);
            } else {
                assertThat(types).as(old.getKey()).containsOnly(key.type());
                checked.put(old.getKey(), key.type());
            }
        }

        assertThat(checked).containsEntry("canal.mq.kafka.kerberos.enable", ValueType.BOOLEAN);
    }
}
