package io.sluice.connector.api.route;

import io.sluice.store.entry.RowKey;

/** Which partition of its topic an entry goes to, or each of its rows. */
public sealed interface Partitioning {
    /**
     * The whole entry goes to one.
     *
     * @param partition from 0
     */
    record One(int partition) implements Partitioning {}

    /**
     * Each row goes to {@code abs(hash % count)}, where the hash is that of the row's key, joined with the seed by exclusive
     * or. Entries without rows go to partition 0.
     *
     * @param key which columns count
     * @param seed what the hash begins with
     * @param count how many partitions there are, at least 1
     */
    record ByKey(RowKey key, int seed, int count) implements Partitioning {
        public ByKey {
            if (count < 1) {
                throw new IllegalArgumentException("a topic has less than one partition: " + count);
            }
        }

        /** The partition of a row by its hash, from 0. */
        public int partitionOf(int hash) {
            return Math.abs(hash % count);
        }
    }
}
