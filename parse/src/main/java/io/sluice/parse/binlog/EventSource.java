package io.sluice.parse.binlog;

import io.sluice.protocol.bytes.ByteWriter;
import java.io.Closeable;
import java.io.IOException;

/** Events one after the other, from a server or from a file. For one thread, but for {@link #close}. */
public interface EventSource extends Closeable {
    /**
     * Waits for the next event and appends its bytes, header and checksum included.
     *
     * @return its length in bytes, or −1 at the end, after which there is nothing more
     * @throws IOException if the source broke
     */
    int next(ByteWriter out) throws IOException;

    /** Whether the next event is there already, so that {@link #next} will not wait. */
    boolean hasBuffered();
}
