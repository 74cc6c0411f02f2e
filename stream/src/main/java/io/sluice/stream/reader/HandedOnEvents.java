package io.sluice.stream.reader;

import io.sluice.format.entry.LogFile;
import io.sluice.mysql.gtid.Gtid;
import io.sluice.mysql.transaction.TransactionTracker;
import io.sluice.mysql.transaction.TransactionTracker.Step;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which events of a transaction were handed on before the connection broke on which it came, and are skipped when it is read again.
 *
 * <p>That is decided within the transaction, by the bytes since its begin: the offsets of two dumps by GTIDs may differ by a multiple of
 * 4 GiB. For one thread.
 */
final class HandedOnEvents {
    private final TransactionTracker transactions;

    /** What earlier connections handed on of a transaction that did not end on them; null if there is none. */
    private @Nullable Part before;

    /** How many events were passed that are within the next one. */
    private int passedInside;

    /** Knows of none. */
    HandedOnEvents(TransactionTracker transactions) {
        this.transactions = transactions;
    }

    /** Forgets all, as what is read next is at another position. */
    void clear() {
        before = null;
        passedInside = 0;
    }

    /**
     * Notes that the connection broke, and that the open transaction is read again.
     *
     * @param offset where the newest event ends that was handed on whole
     */
    void onBroken(LogFile file, long offset) {
        if (!transactions.isBetween()) {
            Part now = new Part(
                    transactions.current(),
                    file.name(),
                    file.begunSeconds(),
                    transactions.boundary().offset(),
                    offset,
                    passedInside);
            before = before != null && before.isFurtherThan(now) ? before : now;
        }
        passedInside = 0;
    }

    /** Whether there is a transaction of which a part was handed on, and that has not ended since. */
    boolean hasPart() {
        return before != null;
    }

    /**
     * Whether an event was not handed on before.
     *
     * @param inside how many events precede it within the same one
     */
    boolean isAhead(LogFile file, long start, long end, int inside) {
        Part known = before;
        if (known == null) {
            return true;
        }
        long begin = transactions.isBetween() ? start : transactions.boundary().offset();
        return !known.isOf(transactions.current(), file.name(), file.begunSeconds(), begin)
                || known.endsBefore(end - begin, inside);
    }

    /** Passes an event within another one, with so many before it there. */
    void passInside(int inside) {
        passedInside = inside + 1;
    }

    /** Notes that the next event is not within another one. */
    void leaveInside() {
        passedInside = 0;
    }

    /** Whether the transaction ends with a step, of which a part was handed on. */
    boolean endsWith(Step step, LogFile file) {
        Part known = before;
        return known != null
                && transactions.isBoundaryAfter(step)
                && !transactions.isBetween()
                && known.isOf(
                        transactions.current(),
                        file.name(),
                        file.begunSeconds(),
                        transactions.boundary().offset());
    }

    /** Forgets the transaction, which has ended. */
    void forget() {
        before = null;
    }

    /**
     * How much of a transaction was handed on. It is the same transaction only if its GTID is the same, if it has one, and if it is in the
     * same file, at the same offset: after a reset of the binlog another one may be at that position, and after a crash another one may have
     * that GTID. Of a dump by GTIDs no more than the low 32 bits of the offset may be known.
     *
     * @param gtid null if it has none, or GTIDs are not followed
     * @param begunSeconds when its file was begun; 0 if that is not known
     * @param start where it starts
     * @param end where its newest event ends that was handed on whole
     * @param inside how many events were handed on that are within the next one
     */
    private record Part(@Nullable Gtid gtid, String file, long begunSeconds, long start, long end, int inside) {
        boolean isOf(@Nullable Gtid otherGtid, String otherFile, long otherSeconds, long otherStart) {
            long apart = start - otherStart;
            return (gtid == null ? apart == 0 : apart % FileOffsets.OF_HEADER == 0)
                    && begunSeconds == otherSeconds
                    && file.equals(otherFile)
                    && Objects.equals(gtid, otherGtid);
        }

        /**
         * Whether it ends before an event of the transaction.
         *
         * @param otherBytes how many bytes of the transaction there are with that event
         * @param before how many events precede it within the same one
         */
        boolean endsBefore(long otherBytes, int before) {
            return otherBytes > bytes() && before >= inside;
        }

        boolean isFurtherThan(Part other) {
            return isOf(other.gtid, other.file, other.begunSeconds, other.start)
                    && (bytes() > other.bytes() || bytes() == other.bytes() && inside > other.inside);
        }

        private long bytes() {
            return end - start;
        }
    }
}
