package io.sluice.format.message;

import io.sluice.format.entry.Entry;
import io.sluice.protocol.bytes.ByteWriter;

/**
 * Writes entries in one format. It keeps buffers, and what was computed for one entry, for the next: it belongs to one thread at a
 * time.
 */
public interface MessageEncoder {
    /**
     * Appends the message of an entry. If this throws, nothing is appended.
     *
     * <p>Entries of several tables, and of several versions of one table, come by turns, and after a rollback entries that came before. What is
     * kept of an entry for the next one must be of the row layout of both, not of the table's name.
     *
     * @param batch the batch that the message is sent with
     * @param out the buffer; it has the limit of a message, and what it has already stays as it is
     * @return false, and nothing is appended, if the entry has no message in this format
     * @throws io.sluice.mysql.binlog.MalformedEventException if the bytes of its event are damaged
     * @throws io.sluice.protocol.bytes.TooManyBytesException if the message is larger than the writer may become
     * @throws IllegalStateException if the entry was encoded ahead in another format
     */
    boolean encode(Entry entry, BatchOrigin batch, ByteWriter out);
}
