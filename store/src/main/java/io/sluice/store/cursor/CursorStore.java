package io.sluice.store.cursor;

import io.sluice.protocol.position.LogPosition;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the cursor of one instance's reader, canal's client 1001. Safe for use by several threads.
 *
 * <p>A crash may lose the newest saves, never more: entries behind an older cursor are delivered again.
 */
public interface CursorStore extends AutoCloseable {
    /** The client as which canal's queue sender, and every default TCP client, keeps its cursor. */
    int CLIENT_ID = 1001;

    /**
     * The newest cursor.
     *
     * @return null if there is none yet: the reader has never acked
     * @throws CursorException if what is kept cannot be read
     */
    @Nullable LogPosition load();

    /** Replaces the cursor. Returns at once; a store that writes to somewhere does so later, the newest cursor only. */
    void save(LogPosition cursor);

    /**
     * Writes the newest cursor and takes no more. Closing twice does nothing.
     *
     * @throws CursorException if it could not be written; older entries are then delivered again after a restart
     */
    @Override
    void close();
}
