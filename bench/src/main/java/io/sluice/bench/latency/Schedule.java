package io.sluice.bench.latency;

import java.time.Duration;

/**
 * Transactions at a fixed rate: their number, their sizes, and when each is due, independent of the ones before.
 *
 * @param name the name in reports
 * @param rowsPerSecond of all transactions together
 * @param rowsPerFive rows in five transactions that follow each other, at least five
 * @param transactions the number of transactions
 * @param leadIn the number of transactions at the beginning that are not counted
 */
record Schedule(String name, long rowsPerSecond, int rowsPerFive, int transactions, int leadIn) {
    /** The changes of an idle stream, one row each. */
    private static final int IDLE_CHANGES_PER_SECOND = 5;

    /** 2.4 rows a transaction. */
    private static final int USUAL_ROWS_PER_FIVE = 12;

    /** The rate that MySQL reaches on a small shared machine; for higher loads the transactions are larger. */
    private static final long MAX_TRANSACTIONS_PER_SECOND = 5_000L;

    Schedule {
        if (rowsPerSecond < 1 || rowsPerFive < 5 || transactions <= leadIn) {
            throw new IllegalArgumentException(
                    "%d rows/s, %d in five transactions, %d transactions of which %d are a lead-in"
                            .formatted(rowsPerSecond, rowsPerFive, transactions, leadIn));
        }
    }

    /** Transactions of 2.4 rows on average, and larger ones above 12,000 rows/s. */
    static Schedule steady(long rowsPerSecond, Duration leadIn, Duration length) {
        long most = MAX_TRANSACTIONS_PER_SECOND * USUAL_ROWS_PER_FIVE / 5;
        int rowsPerFive = (int) (USUAL_ROWS_PER_FIVE * ((rowsPerSecond + most - 1) / most));
        return of("%,d rows/s".formatted(rowsPerSecond), rowsPerSecond, rowsPerFive, leadIn, length);
    }

    /** One row every 200 ms. */
    static Schedule idle(Duration leadIn, Duration length) {
        return of("idle", IDLE_CHANGES_PER_SECOND, 5, leadIn, length);
    }

    private static Schedule of(String name, long rowsPerSecond, int rowsPerFive, Duration leadIn, Duration length) {
        return new Schedule(
                name,
                rowsPerSecond,
                rowsPerFive,
                transactionsIn(leadIn.plus(length), rowsPerSecond, rowsPerFive),
                transactionsIn(leadIn, rowsPerSecond, rowsPerFive));
    }

    private static int transactionsIn(Duration length, long rowsPerSecond, int rowsPerFive) {
        return Math.toIntExact(length.toMillis() * rowsPerSecond * 5 / rowsPerFive / 1000);
    }

    /** The rows of a transaction; transactions count from 0. */
    int rowsOf(int transaction) {
        return (int) (rowsBefore(transaction + 1) - rowsBefore(transaction));
    }

    /** The rows of all transactions before one. */
    long rowsBefore(int transaction) {
        return (long) transaction * rowsPerFive / 5;
    }

    /** When a transaction is due, in nanoseconds after the first one. */
    long dueNanos(int transaction) {
        return (long) transaction * rowsPerFive * (1_000_000_000L / 5) / rowsPerSecond;
    }
}
