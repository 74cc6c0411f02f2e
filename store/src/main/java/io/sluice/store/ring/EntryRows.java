package io.sluice.store.ring;

import io.sluice.store.entry.Entry;

/**
 * Counts rows. An entry that was not written yet walks over its rows to know how many they are, so this is not done for every put:
 * it is done where the entries have been written.
 */
final class EntryRows {
    private EntryRows() {}

    /** How many rows the entries have. */
    static long of(Entry[] entries) {
        long rows = 0;
        for (Entry entry : entries) {
            rows += entry.rowCount();
        }
        return rows;
    }
}
