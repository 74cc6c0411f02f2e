package io.sluice.connector.api.route;

import io.sluice.format.split.RowKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which partition of its topic an entry goes to, or each of its rows. */
public sealed interface Partitioning {
    /**
     * The whole entry goes to one, whatever it is.
     *
     * @param partition from 0
     */
    record One(int partition) implements Partitioning {}

    /**
     * Rows go to the partition of their table; entries without rows go to partition 0.
     *
     * @param partition that of the rows, from 0
     * @param count how many partitions the rules know of in this topic, at least 1
     */
    record ByTable(int partition, int count) implements Partitioning {
        public ByTable {
            atLeastOne(count);
        }
    }

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
            atLeastOne(count);
        }

        /**
         * The hash of a row.
         *
         * @param values those of the key's columns as text; null for NULL and for columns that the row does not have
         */
        public int hashOf(List<@Nullable String> values) {
            int hash = seed;
            for (String value : values) {
                hash ^= value == null ? 0 : value.hashCode();
            }
            return hash;
        }

        /** The partition of a row by its hash, from 0. */
        public int partitionOf(int hash) {
            return partition(hash, count);
        }
    }

    /**
     * The partition of a hash.
     *
     * @param count how many there are, at least 1
     * @return from 0
     */
    static int partition(int hash, int count) {
        return Math.abs(hash % count);
    }

    private static void atLeastOne(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("a topic has less than one partition: " + count);
        }
    }
}
