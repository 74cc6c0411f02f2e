package io.sluice.store.cursor;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Keeps the clients of one destination, and the cursor of each, and writes them. Thread-safe.
 *
 * <p>Changes are taken at once, and a store that writes to somewhere does so later, the newest state only. A crash may lose
 * the newest changes, never more: entries after an older cursor are delivered again.
 */
public interface CursorStore extends Subscriptions, AckedCursors, StreamCursors, AutoCloseable {
    /**
     * Replaces all clients at once: what is written meanwhile, by whatever thread, has all of the former ones or all of these.
     *
     * @param all as they were {@linkplain #kept kept}
     */
    void replaceAll(List<Subscription> all);

    /**
     * Writes what has changed before it returns.
     *
     * @throws CursorException if it could not be written
     */
    void flush();

    /**
     * For how long the store has not been able to write what has changed, or has not tried to although that was due; zero if all is
     * written, or is written within the usual time.
     */
    default Duration unwritten() {
        return Duration.ZERO;
    }

    /**
     * Has a listener called, once, when another process has the right to write the cursors, so that this store writes nothing any more.
     *
     * @param listener gets the reason; it must not wait, nor use this store
     */
    default void onLoss(Consumer<? super CursorException> listener) {
        // nothing can take them
    }

    /**
     * Has a listener called when the file or node of the cursors was removed or damaged by something else, and has them again: what was beside them
     * may be gone, too.
     *
     * @param listener called by the thread that writes; must not use this store
     */
    default void onRestored(Runnable listener) {
        // nothing can remove them
    }

    /**
     * Notes that the instance has failed, and waits for an operator: a file of cursors that is removed or changed from now on is left as it is, unless its
     * lock file is removed or replaced, too, as by a deployment. Must not wait.
     */
    default void leaveToOperator() {
        // changes by an operator are not distinguished from others
    }

    /** Whether the newest look, also that of the end, has left a file of cursors as an operator had removed or changed it. */
    default boolean isLeftToOperator() {
        return false;
    }

    /** Whether a store that is closed has kept cursors for which there was no file at its end, as its directory was gone, or its disk full since it was opened. */
    default boolean isLeftUnwritten() {
        return false;
    }

    /**
     * Whether an operator has changed the cursors since the place where they are was made, so that what is missing there was deleted on purpose. Asked
     * of ZooKeeper, which may have lost them.
     *
     * @throws CursorException if that cannot be read
     */
    default boolean isSetByOperator() {
        return false;
    }

    /**
     * Writes what has changed and takes no more. Closing twice does nothing.
     *
     * @throws CursorException if it could not be written; older entries are then delivered again after a restart
     */
    @Override
    void close();
}
