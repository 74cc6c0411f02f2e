package io.sluice.stream.source;

import io.sluice.protocol.position.Cursor;
import java.io.IOException;

/** A listener for the states of a source. Called by the source's thread. */
public interface SourceListener {
    /**
     * Called when the start position was found, and nothing was read yet. The position must be stored for every client that has no cursor
     * before this returns.
     *
     * @throws IOException if it could not be stored; it is retried, and nothing is read before
     */
    void onStart(Cursor first) throws IOException;

    /**
     * Called when the stream is to continue at the newest position of the source, since what was to be read next has been purged; after
     * {@link #onStart}, before the store gets a checkpoint there, and before anything is read. A cursor that stays behind makes the next start
     * a further reset, also that of a client that takes nothing. Must not block.
     */
    default void onReset(Cursor newest) {}

    /**
     * Called when the stream is to continue by time at another server, with changes that were read before, and all of these are in the store.
     * No cursor that is stored may be after this one when this returns, until what comes from there is acknowledged: a restart would leave out
     * the newest of the changes that come again.
     *
     * @throws IOException if it could not be stored; it is retried, and nothing is read before
     */
    default void onGoBack(Cursor to) throws IOException {}

    /** Called when the source has entered a state; must not block. {@code Failed} and {@code Stopped} are final. */
    void onState(SourceState state);
}
