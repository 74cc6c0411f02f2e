package io.sluice.parse.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StreamProgressTest {
    private static final long GIB = 1L << 30;

    private final StreamProgress progress =
            new StreamProgress("localhost", 3306, new StreamPoint("binlog.000001", 3 * GIB));

    @Test
    void countsOffsetsOnBeyondWhatHeadersHold() {
        assertThat(progress.widened(3 * GIB + 100)).isEqualTo(3 * GIB + 100);

        progress.pass(4 * GIB - 10, false);

        assertThat(progress.widened(50)).isEqualTo(4 * GIB + 50);
    }

    /** A source passes over transactions that are known; then offsets grow by more than headers can tell. */
    @Test
    void learnsFromHeartbeatsWhatHeadersCannotTell() {
        progress.skipTo("binlog.000001", 9 * GIB + 7);

        assertThat(progress.widened(GIB + 200)).isEqualTo(9 * GIB + 200);
        assertThat(progress.transactionStart()).isEqualTo(new StreamPoint("binlog.000001", 9 * GIB + 7));
    }

    @Test
    void moreComesAtOnceUntilATransactionEnds() {
        assertThat(progress.isWithinTransaction()).isFalse();

        progress.transactionStartsAt(3 * GIB);
        progress.pass(3 * GIB + 10, true);
        assertThat(progress.isWithinTransaction()).isTrue();

        progress.begin();
        progress.pass(3 * GIB + 20, false);
        assertThat(progress.isWithinTransaction()).isTrue();

        progress.end();
        progress.pass(3 * GIB + 30, false);
        assertThat(progress.isWithinTransaction()).isFalse();
    }

    /** Whatever was taken for an open transaction: what was read of it does not wait for the next one. */
    @Test
    void nothingComesAtOnceBehindAHeartbeat() {
        progress.begin();
        progress.pass(3 * GIB + 10, false);

        progress.skipTo("binlog.000001", 3 * GIB + 10);
        assertThat(progress.isWithinTransaction()).isFalse();

        progress.pass(3 * GIB + 20, false);
        assertThat(progress.isWithinTransaction()).isTrue();
    }

    @Test
    void doesNotBelieveHeartbeatsOfOtherFilesOrWithinATransaction() {
        progress.skipTo("binlog.000002", 9 * GIB);
        progress.begin();
        progress.skipTo("binlog.000001", 9 * GIB);

        assertThat(progress.offset()).isEqualTo(3 * GIB);
    }
}
