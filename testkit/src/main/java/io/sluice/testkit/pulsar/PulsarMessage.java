package io.sluice.testkit.pulsar;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as it was read.
 *
 * @param partition the partition's index; 0 in a topic without partitions
 * @param key null if it has none
 * @param value its bytes
 * @param properties its properties
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PulsarMessage(int partition, @Nullable String key, byte[] value, Map<String, String> properties) {}
