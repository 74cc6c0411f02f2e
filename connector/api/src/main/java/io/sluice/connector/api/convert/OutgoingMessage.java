package io.sluice.connector.api.convert;

import io.sluice.connector.api.producer.Message;
import io.sluice.format.entry.Entry;
import org.jspecify.annotations.Nullable;

/**
 * A message that is ready to be sent, and the entries in it.
 *
 * @param message the message for the broker
 * @param first the first entry that is in it, in whole or in part
 * @param last the last one; the same if there is only one
 * @param changes how many changes are in it: rows, and entries without rows
 * @param unmade why the message has no value, and cannot be sent; null if it can
 */
public record OutgoingMessage(
        Message message,
        Entry first,
        Entry last,
        int changes,
        @Nullable Unmade unmade) {
    /** A message of several entries, or of rows of them, that can be sent. */
    public OutgoingMessage(Message message, Entry first, Entry last, int changes) {
        this(message, first, last, changes, null);
    }

    /** A message of one entry that can be sent. */
    public static OutgoingMessage of(Message message, Entry entry) {
        return new OutgoingMessage(message, entry, entry, changesOf(entry), null);
    }

    /** How many changes an entry has: its rows, or itself if it has none. */
    static int changesOf(Entry entry) {
        return Math.max(1, entry.rowCount());
    }

    /**
     * Describes a value that was not made because it would be too large.
     *
     * @param bytes how large it would be at least, or its event is
     * @param reason what is too large, and for which limit
     */
    public record Unmade(long bytes, String reason) {}

    /** Whether it carries a single entry, or rows of one. */
    public boolean isOfOneEntry() {
        return first == last;
    }

    /** How many bytes the value has, or would have at least. */
    public long valueBytes() {
        return unmade == null ? message.value().length : unmade.bytes();
    }
}
