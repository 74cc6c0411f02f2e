package io.sluice.connector.api.convert;

import io.sluice.connector.api.producer.Message;
import io.sluice.store.entry.Entry;

/**
 * One message, ready to be sent, and what is in it.
 *
 * @param message what the broker gets
 * @param first the first entry that is in it, in whole or in part
 * @param last the last one; the same if there is only one
 */
public record OutgoingRecord(Message message, Entry first, Entry last) {
    /** Whether it carries a single entry, or rows of one. */
    public boolean isOfOneEntry() {
        return first == last;
    }
}
