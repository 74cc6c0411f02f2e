package io.sluice.store.cursor;

import io.sluice.protocol.position.Cursor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The cursors of one destination as the start of its stream, and its return to an earlier position, set them. Changes are written at once. Thread-safe. */
public interface StreamCursors {
    /**
     * Gives every client that has no cursor the position where the stream begins, and writes that before it returns: from
     * then on nothing is skipped by a restart, even if nothing is ever acknowledged. A cursor that is saved meanwhile stays.
     *
     * @param first as of {@link AckedCursors#save(java.util.Set, Supplier)}; if it gives null, nothing is written
     * @return whether there is such a position
     * @throws CursorException if it could not be written; nothing must be read then
     */
    boolean begin(Supplier<? extends @Nullable Cursor> first);

    /**
     * Replaces the cursors of clients that are {@linkplain Subscriptions#kept kept} and are at or after one to which the stream goes back, and writes that
     * before it returns. What {@link AckedCursors#save(java.util.Set, Supplier)} and the like are asked for must not be after it any more when this is called.
     *
     * @param to of two servers' cursors, that of the older event is before the other one
     * @throws CursorException if it could not be written; nothing must be read there then
     */
    void goBack(Cursor to);
}
