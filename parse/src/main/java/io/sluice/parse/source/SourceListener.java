package io.sluice.parse.source;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import java.io.IOException;
import java.time.Duration;

/** Is told of the progress of a source. Called by the source's thread; all but {@link #begins} must return at once. */
public interface SourceListener {
    /**
     * The position was found where the stream begins, and nothing was read yet. It must be stored for every client that has no
     * cursor before this returns.
     *
     * @throws IOException if it could not be stored; it is tried again after a while, and nothing is read before
     */
    void begins(Cursor first) throws IOException;

    /** The binlog is being read from here on. */
    void reading(BinlogPosition from);

    /** The connection broke, or could not be made; it is tried again after a while. */
    void retrying(Exception cause, Duration after);

    /** It cannot go on; {@code cause} says why, and what to do. Nothing more is read. */
    void failed(Throwable cause);
}
