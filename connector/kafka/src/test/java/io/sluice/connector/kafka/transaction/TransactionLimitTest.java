package io.sluice.connector.kafka.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TransactionLimitTest {
    private final TransactionLimit limit = new TransactionLimit(100);

    @Test
    void isAsManyAsAllowedAsLongAsNothingIsRejected() {
        limit.committed();

        assertThat(limit.next()).isEqualTo(100);
    }

    @Test
    void endsBeforeARejectedRecordAndThenTakesItAlone() {
        limit.refused(7);

        assertThat(limit.next()).isEqualTo(7);
        limit.committed();
        assertThat(limit.next()).isEqualTo(1);
        limit.committed();
        assertThat(limit.next()).isEqualTo(100);
    }

    @Test
    void aRejectedFirstRecordIsAloneAtOnce() {
        limit.refused(0);

        assertThat(limit.next()).isEqualTo(1);
    }
}
