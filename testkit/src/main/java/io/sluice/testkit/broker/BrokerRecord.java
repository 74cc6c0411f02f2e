package io.sluice.testkit.broker;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record as a reader of the broker gets it.
 *
 * @param partition its partition; 0 where the broker has none
 * @param offset its position in the partition, growing; where the broker knows none, how many came before it
 * @param key null if it has none
 * @param headers its headers, by name; of several with one name the last
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BrokerRecord(
        String topic, int partition, long offset, byte @Nullable [] key, byte[] value, Map<String, String> headers) {
    public BrokerRecord {
        headers = Map.copyOf(headers);
    }
}
