package io.sluice.stream.reader;

import io.sluice.format.entry.TransactionBoundary;
import io.sluice.mysql.binlog.MariaDbGtidEvent;
import io.sluice.mysql.binlog.MariaDbGtidEvent.AlterPhase;
import io.sluice.stream.event.Event;
import org.jspecify.annotations.Nullable;

/**
 * Handles the GTID events of MariaDB, which begin its transactions: there is no BEGIN. For one thread.
 *
 * <p>An {@code ALTER TABLE} may be in the binlog twice, when it begins and when it is done ({@code
 * binlog_alter_two_phase}); only the second changes anything.
 */
final class MariaDbTransactions {
    private final boolean givesBegins;
    private final GtidTracker gtids;
    private final StreamProgress progress;
    private AlterPhase phase = AlterPhase.DONE;

    /**
     * Makes it.
     *
     * @param givesBegins whether transactions get a begin, which canal does not give them
     */
    MariaDbTransactions(boolean givesBegins, GtidTracker gtids, StreamProgress progress) {
        this.givesBegins = givesBegins;
        this.gtids = gtids;
        this.progress = progress;
    }

    /**
     * Takes a GTID event.
     *
     * @return the begin of its transaction; null if none leaves
     */
    @Nullable TransactionBoundary begin(Event announced) {
        MariaDbGtidEvent event = follow(announced);
        if (event.standalone() || !givesBegins || !progress.isAhead(announced)) {
            return null;
        }
        announced.setTransactionStep(announced.step(), announced.sequence(), gtids.transaction(), false);
        return TransactionBoundary.begin(announced.origin(), event.threadId());
    }

    /** Reads a GTID event without making a begin. */
    MariaDbGtidEvent follow(Event announced) {
        MariaDbGtidEvent event = MariaDbGtidEvent.decode(announced.header(), announced.body());
        gtids.accept(event.gtid());
        phase = event.phase();
        return event;
    }

    /**
     * Makes the begin of a transaction that was held back.
     *
     * @param announced the event that began it, at its position in the stream
     * @return null if none leaves
     */
    @Nullable TransactionBoundary replayedBegin(Event announced) {
        if (!givesBegins || !progress.isAhead(announced)) {
            return null;
        }
        MariaDbGtidEvent event = MariaDbGtidEvent.decode(announced.header(), announced.body());
        return TransactionBoundary.begin(announced.origin(), event.threadId());
    }

    /** Whether the statement that comes is of an ALTER TABLE that is not done, or never will be. */
    boolean hidesStatement() {
        return phase != AlterPhase.DONE;
    }
}
