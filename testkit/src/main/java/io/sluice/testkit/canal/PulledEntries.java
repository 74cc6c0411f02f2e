package io.sluice.testkit.canal;

import io.sluice.protocol.entry.Entry;
import java.util.List;

/**
 * What a get of a client gave.
 *
 * @param batchId what to ack; below 1 if there was nothing
 * @param entries as the client's own classes have read and written them again
 */
public record PulledEntries(long batchId, List<Entry> entries) {
    public PulledEntries {
        entries = List.copyOf(entries);
    }
}
