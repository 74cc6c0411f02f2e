package io.sluice.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TransactionLimitTest {
    private final TransactionLimit limit = new TransactionLimit(100);

    @Test
    void isAsManyAsAllowedAsLongAsNothingIsRefused() {
        limit.committed();

        assertThat(limit.next()).isEqualTo(100);
    }

    @Test
    void endsBeforeARefusedRecordAndGoesOnOneByOne() {
        limit.refused(7, 9);

        assertThat(limit.next()).isEqualTo(7);
        limit.committed();
        for (int i = 0; i < 9; i++) {
            assertThat(limit.next()).isEqualTo(1);
            limit.committed();
        }
        assertThat(limit.next()).isEqualTo(100);
    }

    @Test
    void aRefusedFirstRecordIsAloneAtOnce() {
        limit.refused(0, 2);

        assertThat(limit.next()).isEqualTo(1);
    }
}
