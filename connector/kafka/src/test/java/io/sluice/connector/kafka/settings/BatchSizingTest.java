package io.sluice.connector.kafka.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class BatchSizingTest {
    private static final long MEMORY = 32 << 20;

    @Test
    void theMemoryHoldsTwoBatchesOfEachPartition() {
        BatchSizing sizing = BatchSizing.upTo(1_000_000, MEMORY);
        List<Long> sizes = new ArrayList<>();
        List<Integer> replacedAt = new ArrayList<>();
        sizes.add(sizing.nextBatchBytes());
        for (int partition = 1; partition <= 5000; partition++) {
            sizing.use(new TopicPartition("t" + partition % 7, partition));
            if (sizing.isOutgrown()) {
                replacedAt.add(partition);
                sizes.add(sizing.nextBatchBytes());
            }
            long last = sizes.get(sizes.size() - 1);
            assertThat(last == BatchSizing.MIN_BYTES || 2 * last * partition <= MEMORY)
                    .as("%d partitions, batches of %d bytes", partition, last)
                    .isTrue();
        }

        assertThat(replacedAt).containsExactly(17, 65, 257);
        assertThat(sizes).containsExactly(1_000_000L, 262_144L, 65_536L, 16_384L);
    }

    @Test
    void aPartitionCountsOnce() {
        BatchSizing sizing = BatchSizing.upTo(1_000_000, 2_000_000);
        for (int i = 0; i < 10; i++) {
            sizing.use(new TopicPartition("t", 1));
        }
        assertThat(sizing.isOutgrown()).isFalse();
        sizing.use(new TopicPartition("t", 2));
        assertThat(sizing.isOutgrown()).isTrue();
    }

    @Test
    void theSizeThatAnOperatorHasSetStays() {
        BatchSizing sizing = BatchSizing.fixed(500_000, 1_000_000);
        for (int partition = 0; partition < 100; partition++) {
            sizing.use(new TopicPartition("t", partition));
            assertThat(sizing.isOutgrown()).isFalse();
        }
        assertThat(sizing.nextBatchBytes()).isEqualTo(500_000);
    }

    @Test
    void aMemoryThatIsTooSmallForOneBatchIsNotAnError() {
        BatchSizing sizing = BatchSizing.upTo(1_000_000, 10_000);
        sizing.use(new TopicPartition("t", 0));
        sizing.use(new TopicPartition("t", 1));
        assertThat(sizing.nextBatchBytes()).isEqualTo(BatchSizing.MIN_BYTES);
        assertThat(sizing.isOutgrown()).isFalse();
    }

    @Test
    void aLimitBelowTheSmallestBatchIsKept() {
        assertThat(BatchSizing.upTo(4_000, MEMORY).nextBatchBytes()).isEqualTo(4_000);
    }
}
