package io.sluice.server.pull;

import io.sluice.format.entry.Entry;
import java.util.List;

/**
 * The answer to a client's get.
 *
 * @param id the client's own number of the batch; -1 if there are no entries
 * @param entries oldest first
 * @param sizeBytes the sum of their {@link Entry#sizeBytes()}
 */
public record PulledBatch(long id, List<Entry> entries, long sizeBytes) {
    static final PulledBatch NOTHING = new PulledBatch(-1, List.of(), 0);

    public boolean isEmpty() {
        return entries.isEmpty();
    }
}
