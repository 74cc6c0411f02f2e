package io.sluice.bench.latency;

import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * The times at which each transaction of a schedule was sent, committed and readable, in nanoseconds of this JVM's clock.
 *
 * <p>One writer records a transaction, and one thread all arrivals. The spans may be read when all writers have ended and
 * {@link #isComplete} is true, or will never be.
 */
final class Moments {
    private static final int SIGNIFICANT_DIGITS = 3;

    private final Schedule schedule;
    private final long firstNumber;
    private final long beginNanos;
    private final long[] sent;
    private final long[] committed;
    private final long[] readable;
    private final int[] arrivedRows;
    private final AtomicLong rows = new AtomicLong();

    /** The time between two moments of a transaction. */
    enum Span {
        /** From the sending of the statement that commits to the return of the consumer's poll. */
        SENT_TO_READABLE,
        /** From the time at which the transaction was due. */
        DUE_TO_READABLE,
        /** From MySQL's answer to the commit; 0 if the consumer was faster. */
        COMMITTED_TO_READABLE,
        /** MySQL's own time. */
        SENT_TO_COMMITTED
    }

    /**
     * Creates moments without any event.
     *
     * @param firstNumber the number in the stamps of the first transaction's rows
     * @param beginNanos when the first transaction is due
     */
    Moments(Schedule schedule, long firstNumber, long beginNanos) {
        this.schedule = schedule;
        this.firstNumber = firstNumber;
        this.beginNanos = beginNanos;
        this.sent = new long[schedule.transactions()];
        this.committed = new long[schedule.transactions()];
        this.readable = new long[schedule.transactions()];
        this.arrivedRows = new int[schedule.transactions()];
    }

    Schedule schedule() {
        return schedule;
    }

    /** The number in the stamps of a transaction's rows. */
    long numberOf(int transaction) {
        return firstNumber + transaction;
    }

    long dueNanos(int transaction) {
        return beginNanos + schedule.dueNanos(transaction);
    }

    /** Records when the statement that commits was sent and answered. */
    void committed(int transaction, long sentNanos, long answeredNanos) {
        sent[transaction] = sentNanos;
        committed[transaction] = answeredNanos;
    }

    /** Records that the consumer has a row of the transaction with this number; numbers of other schedules are ignored. */
    void arrived(long number, long nanos) {
        long transaction = number - firstNumber;
        if (transaction >= 0 && transaction < schedule.transactions()) {
            readable[(int) transaction] = nanos;
            arrivedRows[(int) transaction]++;
            rows.incrementAndGet();
        }
    }

    /** Returns whether as many rows have arrived as were written. */
    boolean isComplete() {
        return rows.get() >= schedule.rowsBefore(schedule.transactions());
    }

    /** The number of transactions of which not every row arrived once. */
    int wrongTransactions() {
        int wrong = 0;
        for (int i = 0; i < schedule.transactions(); i++) {
            wrong += arrivedRows[i] == schedule.rowsOf(i) ? 0 : 1;
        }
        return wrong;
    }

    /** Committed rows per second, without the lead-in. */
    double achievedRowsPerSecond() {
        int first = schedule.leadIn();
        int last = schedule.transactions() - 1;
        long latest = sent[first];
        for (int i = first; i <= last; i++) {
            latest = Math.max(latest, sent[i]);
        }
        return (schedule.rowsBefore(last) - schedule.rowsBefore(first)) * 1e9 / Math.max(1, latest - sent[first]);
    }

    /** A span of all transactions but the lead-in, in microseconds. */
    Histogram micros(Span span) {
        Histogram histogram = new Histogram(SIGNIFICANT_DIGITS);
        for (int i = schedule.leadIn(); i < schedule.transactions(); i++) {
            long nanos = switch (span) {
                case SENT_TO_READABLE -> readable[i] - sent[i];
                case DUE_TO_READABLE -> readable[i] - dueNanos(i);
                case COMMITTED_TO_READABLE -> readable[i] - committed[i];
                case SENT_TO_COMMITTED -> committed[i] - sent[i];
            };
            histogram.recordValue(Math.max(0, nanos) / 1000);
        }
        return histogram;
    }
}
