package io.sluice.store.ring;

import io.sluice.format.entry.Entry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts rows. An entry that was not written yet walks over its rows to know how many they are, so this is not done for every put:
 * it is done where the entries have been written.
 */
final class EntryRows {
    private static final Logger LOG = LoggerFactory.getLogger(EntryRows.class);

    private EntryRows() {}

    /** How many rows the entries have. */
    static long of(Entry[] entries) {
        long rows = 0;
        for (Entry entry : entries) {
            rows += entry.rowCount();
        }
        return rows;
    }

    /**
     * The number of rows for metrics: an entry that cannot be read counts as no rows. Delivery reports it; metrics continue without it.
     */
    static long ofReadable(Entry[] entries) {
        long rows = 0;
        for (Entry entry : entries) {
            try {
                rows += entry.rowCount();
            } catch (RuntimeException e) {
                // Without its id, which has the number of its rows.
                LOG.debug("an entry's rows cannot be counted: cause={}", e.getMessage(), e);
            }
        }
        return rows;
    }
}
