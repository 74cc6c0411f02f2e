package io.sluice.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.latency.Moments.Span;
import io.sluice.bench.record.Format;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class MomentsTest {
    private static final long BEGIN = 5_000_000_000L;
    private static final long MILLI = 1_000_000;

    /** One row every 100 ms; the first does not count. */
    private final Schedule schedule = new Schedule("test", 10, 5, 4, 1);

    private final Moments moments = new Moments(schedule, 100, BEGIN);

    @Test
    void aLateTransactionIsAlsoMeasuredFromItsDueTime() {
        carry(0, 0, 50, 500);
        carry(1, 0, 3, 8);
        carry(2, 40, 45, 50);
        carry(3, 0, 3, 2);

        assertThat(moments.isComplete()).isTrue();
        assertThat(moments.wrongTransactions()).isZero();
        assertThat(millis(Span.SENT_TO_READABLE)).containsExactly(2L, 8L, 10L);
        assertThat(millis(Span.DUE_TO_READABLE)).containsExactly(2L, 8L, 50L);
        assertThat(millis(Span.SENT_TO_COMMITTED)).containsExactly(3L, 3L, 5L);
        assertThat(millis(Span.COMMITTED_TO_READABLE)).containsExactly(0L, 5L, 5L);
        assertThat(moments.achievedRowsPerSecond()).isEqualTo(10);
    }

    @Test
    void aMissingOrRepeatedRowIsFound() {
        carry(0, 0, 1, 2);
        carry(1, 0, 1, 2);
        carry(2, 0, 1, 2);
        assertThat(moments.isComplete()).isFalse();

        moments.arrived(99, BEGIN);
        moments.arrived(104, BEGIN);
        assertThat(moments.isComplete()).isFalse();

        moments.arrived(102, BEGIN);
        assertThat(moments.wrongTransactions()).isEqualTo(2);
        LatencyReport report = new LatencyReport(List.of(new Figures(Format.RAW, moments, 1, 1)));
        assertThat(report.isComplete()).isFalse();
        assertThat(report.table()).contains("WRONG: 2 transactions");
    }

    @Test
    void theReportHasALineForEachLoad() {
        for (int i = 0; i < 4; i++) {
            carry(i, 1, 3, 5);
        }

        LatencyReport report = new LatencyReport(List.of(new Figures(Format.FLAT, moments, 0.5, 0.25)));

        assertThat(report.isComplete()).isTrue();
        assertThat(report.table())
                .contains(
                        "| flat | test | 10 | 3 | 4.0 | 4.0 | 4.0 | 4.0 | 5.0 | 5.0 | 5.0 | 2.0 | 2.0 | 2.0 | 2.0 | 0.50 |");
    }

    /** Milliseconds are from when the transaction is due. */
    private void carry(int transaction, long sent, long committed, long readable) {
        long due = moments.dueNanos(transaction);
        moments.committed(transaction, due + sent * MILLI, due + committed * MILLI);
        moments.arrived(moments.numberOf(transaction), due + readable * MILLI);
    }

    private List<Long> millis(Span span) {
        Histogram micros = moments.micros(span);
        return List.of(33.0, 66.0, 100.0).stream()
                .map(percentile -> Math.round(micros.getValueAtPercentile(percentile) / 1000.0))
                .toList();
    }
}
