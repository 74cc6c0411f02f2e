package io.sluice.bench.latency;

import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * When what happened to each transaction of a schedule, in nanoseconds of this JVM's clock.
 *
 * <p>Each transaction is noted by one writer, and all arrivals by one thread. They are to be asked for when all writers have
 * ended and {@link #isComplete} is true, or never will be.
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

    /** Two moments of a transaction, and the time between. */
    enum Span {
        /** From the commit's request to the rows in the hands of a consumer: no change is older than that. */
        SENT_TO_READABLE,
        /** From the moment at which the transaction should have been sent. */
        DUE_TO_READABLE,
        /** From the answer to the commit; 0 if a consumer was quicker. */
        COMMITTED_TO_READABLE,
        /** What MySQL needs for itself. */
        SENT_TO_COMMITTED
    }

    /**
     * Nothing has happened yet.
     *
     * @param firstNumber the number by which the first transaction's rows are stamped
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

    /** The number by which a transaction's rows are stamped. */
    long numberOf(int transaction) {
        return firstNumber + transaction;
    }

    long dueNanos(int transaction) {
        return beginNanos + schedule.dueNanos(transaction);
    }

    /** Notes that the request to commit left then, and was answered then. */
    void committed(int transaction, long sentNanos, long answeredNanos) {
        sent[transaction] = sentNanos;
        committed[transaction] = answeredNanos;
    }

    /** Notes that a consumer has a row of the transaction with this number; other schedules' numbers are passed over. */
    void arrived(long number, long nanos) {
        long transaction = number - firstNumber;
        if (transaction >= 0 && transaction < schedule.transactions()) {
            readable[(int) transaction] = nanos;
            arrivedRows[(int) transaction]++;
            rows.incrementAndGet();
        }
    }

    /** Whether as many rows have arrived as were written. */
    boolean isComplete() {
        return rows.get() >= schedule.rowsBefore(schedule.transactions());
    }

    /** How many transactions did not arrive with each row once. */
    int wrongTransactions() {
        int wrong = 0;
        for (int i = 0; i < schedule.transactions(); i++) {
            wrong += arrivedRows[i] == schedule.rowsOf(i) ? 0 : 1;
        }
        return wrong;
    }

    /** How many rows were committed in a second, without the lead-in. */
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
