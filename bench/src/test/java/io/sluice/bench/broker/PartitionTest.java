package io.sluice.bench.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

class PartitionTest {
    private final Partition partition = new Partition();

    @Test
    void batchesOfSeveralProducersThatFollowEachOtherAreCounted() {
        assertThat(partition.append(batch(1, 0, 0, 3))).isEqualTo(0);
        assertThat(partition.append(batch(2, 0, 0, 1))).isEqualTo(3);
        assertThat(partition.append(batch(1, 0, 3, 2))).isEqualTo(4);
        assertThat(partition.append(batch(1, 1, 0, 1))).isEqualTo(6);

        assertThat(partition.records()).isEqualTo(7);
        assertThat(partition.bytes()).isGreaterThan(7);
    }

    @Test
    void aMissingBatchIsNotCounted() {
        partition.append(batch(1, 0, 0, 3));

        assertThatThrownBy(() -> partition.append(batch(1, 0, 4, 1))).isInstanceOf(OutOfOrderSequenceException.class);
        assertThat(partition.records()).isEqualTo(3);
    }

    @Test
    void aRepeatedBatchAndOneOfAnEarlierEpochAreNotCounted() {
        partition.append(batch(1, 1, 0, 3));

        assertThatThrownBy(() -> partition.append(batch(1, 1, 0, 3))).isInstanceOf(OutOfOrderSequenceException.class);
        assertThatThrownBy(() -> partition.append(batch(1, 0, 3, 1))).isInstanceOf(OutOfOrderSequenceException.class);
        assertThat(partition.records()).isEqualTo(3);
    }

    @Test
    void aNewProducerBeginsWithZero() {
        assertThatThrownBy(() -> partition.append(batch(1, 0, 1, 3))).isInstanceOf(OutOfOrderSequenceException.class);
    }

    private static RecordBatch batch(long producer, int epoch, int sequence, int count) {
        SimpleRecord[] records = new SimpleRecord[count];
        for (int i = 0; i < count; i++) {
            records[i] = new SimpleRecord(new byte[] {(byte) i});
        }
        return MemoryRecords.withIdempotentRecords(Compression.NONE, producer, (short) epoch, sequence, records)
                .firstBatch();
    }
}
