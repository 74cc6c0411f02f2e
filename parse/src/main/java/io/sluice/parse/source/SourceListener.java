package io.sluice.parse.source;

import io.sluice.parse.pipeline.StreamPoint;
import java.time.Duration;

/** Is told how a source fares. Called by the source's thread; must return at once. */
public interface SourceListener {
    /** The binlog is being read from here on. */
    void reading(StreamPoint from);

    /** The connection broke, or could not be made; it is tried again after a while. */
    void retrying(Exception cause, Duration after);

    /** It cannot go on; {@code cause} says why, and what to do. Nothing more is read. */
    void failed(Throwable cause);
}
