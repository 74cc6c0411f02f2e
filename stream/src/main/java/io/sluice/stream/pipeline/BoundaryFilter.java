package io.sluice.stream.pipeline;

import io.sluice.format.entry.BinlogEntry;
import io.sluice.format.entry.EncodedEntry;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.entry.Origin;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides which begins and ends of transactions are delivered.
 *
 * <p>A transaction without entries passes only occasionally, so that cursors advance on a source that changes other tables: when its time
 * is more than five seconds from the last one that passed, or 8192 did not. With boundaries switched
 * off, those of other transactions are thinned in the same way. For one thread.
 */
final class BoundaryFilter {
    private static final long INTERVAL_MILLIS = 5_000;
    private static final int MAX_SKIPPED = 8_192;

    private final boolean thinsBoundaries;
    private @Nullable Entry heldBegin;
    private boolean inTransaction;
    private long lastEmptyMillis;
    private int skippedEmpty;
    private long lastEndMillis;
    private int skippedBoundaries;

    /**
     * Makes a filter.
     *
     * @param thinsBoundaries whether begins and ends of transactions with changes are left out, too
     */
    BoundaryFilter(boolean thinsBoundaries) {
        this.thinsBoundaries = thinsBoundaries;
    }

    /** Returns the entries that pass now; a begin at the end is held until it is known what follows. */
    List<Entry> filter(List<Entry> entries) {
        List<Entry> passed = new ArrayList<>(entries.size() + 1);
        for (Entry entry : entries) {
            dropCutOff(entry);
            if (entry.kind() == EntryKind.BEGIN) {
                heldBegin = entry;
                inTransaction = false;
            } else if (entry.kind() == EntryKind.END) {
                end(entry, passed);
            } else {
                releaseBegin(passed);
                inTransaction = true;
                passed.add(entry);
            }
        }
        return passed;
    }

    /** Drops a begin whose transaction was cut off at the end of its file: a transaction is in one file. */
    private void dropCutOff(Entry next) {
        if (heldBegin != null && !fileOf(heldBegin).equals(fileOf(next))) {
            heldBegin = null;
        }
    }

    private static String fileOf(Entry entry) {
        Origin origin = entry instanceof EncodedEntry encoded ? encoded.origin() : ((BinlogEntry) entry).origin();
        return origin.file().name();
    }

    private void releaseBegin(List<Entry> passed) {
        if (heldBegin != null) {
            addBoundary(heldBegin, passed);
            heldBegin = null;
        }
    }

    private void end(Entry end, List<Entry> passed) {
        if (inTransaction) {
            addBoundary(end, passed);
        } else {
            Entry first = heldBegin == null ? end : heldBegin;
            skippedEmpty++;
            if (isFar(first, lastEmptyMillis) || skippedEmpty > MAX_SKIPPED) {
                lastEmptyMillis = first.executeTimeMillis();
                skippedEmpty = 0;
                releaseBegin(passed);
                addBoundary(end, passed);
            }
        }
        heldBegin = null;
        inTransaction = false;
    }

    private void addBoundary(Entry boundary, List<Entry> passed) {
        if (thinsBoundaries) {
            skippedBoundaries++;
            if (!isFar(boundary, lastEndMillis) && skippedBoundaries <= MAX_SKIPPED) {
                return;
            }
            if (boundary.kind() == EntryKind.END) {
                lastEndMillis = boundary.executeTimeMillis();
                skippedBoundaries = 0;
            }
        }
        passed.add(boundary);
    }

    private static boolean isFar(Entry entry, long millis) {
        return Math.abs(entry.executeTimeMillis() - millis) > INTERVAL_MILLIS;
    }
}
