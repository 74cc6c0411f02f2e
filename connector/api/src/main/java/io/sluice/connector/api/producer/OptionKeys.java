package io.sluice.connector.api.producer;

import java.util.Set;

/**
 * The keys that a connector reads.
 *
 * @param prefix what keys begin with that are this connector's alone, such as {@code rabbitmq.}: an unknown one is a mistake
 * @param read all keys that it reads, in full; those without the prefix are other connectors', too
 * @param ofConsumers keys with the prefix that canal's consumers read, from a file that may be the server's: accepted, and
 *     without effect
 */
public record OptionKeys(String prefix, Set<String> read, Set<String> ofConsumers) {
    public OptionKeys {
        read = Set.copyOf(read);
        ofConsumers = Set.copyOf(ofConsumers);
    }

    /** Keys of a connector that shares them with no consumer. */
    public OptionKeys(String prefix, Set<String> read) {
        this(prefix, read, Set.of());
    }

    /** Whether a key is read, or accepted without effect. */
    public boolean knows(String key) {
        return read.contains(key) || ofConsumers.contains(key);
    }

    /** Whether a key has the prefix, and means nothing. */
    boolean isMistake(String key) {
        return key.startsWith(prefix) && !knows(key);
    }
}
