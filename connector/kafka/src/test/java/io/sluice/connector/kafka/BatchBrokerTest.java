package io.sluice.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchBrokerTest {
    @ParameterizedTest
    @CsvSource({"0, 1024", "1, 1024", "32, 1024", "33, 1056", "64, 2048", "256, 8192", "2147483647, 8192"})
    void moreEntriesArePreparedForMorePartitions(int batches, int kibibytes) {
        assertThat(BatchBroker.preparedBytesFor(batches)).isEqualTo(kibibytes << 10);
    }
}
