package io.sluice.server.instance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeapSharesTest {
    /** In MiB. */
    @ParameterizedTest
    @CsvSource({"1024, 1, 128", "1024, 4, 32", "1024, 50, 2", "384, 1, 48", "64, 10, 2", "1024, 0, 128"})
    void instancesShareTheRoomForTables(long heap, int instances, long each) {
        assertThat(new HeapShares(heap << 20).tablesOf(instances) >> 20).isEqualTo(each);
    }

    /** In MiB. */
    @ParameterizedTest
    @CsvSource({"1024, 1, 128", "384, 1, 48", "1024, 4, 32", "1024, 50, 16", "64, 0, 16"})
    void instancesShareTheRoomForEntries(long heap, int instances, long each) {
        assertThat(new HeapShares(heap << 20).storeOf(instances) >> 20).isEqualTo(each);
    }

    /** In MiB. */
    @ParameterizedTest
    @CsvSource({"1024, 8, 1, 8", "1024, 100, 1, 64", "1024, 8, 16, 4", "64, 8, 0, 4"})
    void instancesShareTheRoomForXaTransactions(long heap, long wanted, int instances, long each) {
        assertThat(new HeapShares(heap << 20).heldOf(wanted << 20, instances) >> 20)
                .isEqualTo(each);
    }
}
