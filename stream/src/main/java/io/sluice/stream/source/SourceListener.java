package io.sluice.stream.source;

import io.sluice.protocol.position.Cursor;
import java.io.IOException;

/** Is told of the progress of a source. Called by the source's thread. */
public interface SourceListener {
    /**
     * The position was found where the stream begins, and nothing was read yet. It must be stored for every client that has no
     * cursor before this returns.
     *
     * @throws IOException if it could not be stored; it is tried again after a while, and nothing is read before
     */
    void onStart(Cursor first) throws IOException;

    /** The source has entered a state; must return at once. Nothing follows {@code Failed} and {@code Stopped}. */
    void onState(SourceState state);
}
