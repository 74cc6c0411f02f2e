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
     * @param batch the batch that the message is sent with
     * @return false, and nothing is appended, if the entry has no message in this format
     * @throws io.sluice.mysql.binlog.MalformedEventException if the bytes of its event are damaged
     * @throws io.sluice.protocol.bytes.TooManyBytesException if the message is larger than the writer may become
     * @throws IllegalStateException if the entry was encoded ahead in another format
     */
    boolean encode(Entry entry, BatchStamp batch, ByteWriter out);
}
