package io.sluice.store.ring;

import io.sluice.format.entry.Entry;
import java.util.List;

/**
 * Decides what a store hands out at the moment, and what stays in it for later: a pause, or a limit of the rate.
 *
 * <p>All methods but {@link #acked} run under the store's lock: they must be quick, and must not call the store.
 */
public interface StoreGate {
    /** Lets everything pass. */
    StoreGate OPEN = new StoreGate() {
        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public boolean inspectsEntries() {
            return false;
        }

        @Override
        public Verdict judge(Entry entry, boolean isFirst) {
            return Verdict.PASS;
        }
    };

    /** Whether an entry is handed out, and the one after it. */
    enum Verdict {
        /** It is handed out, and the next one is judged. */
        PASS,
        /** It is handed out as the last one of its batch. */
        STOP_AFTER,
        /** It stays in the store, the batch ends before it, and the gate is closed. What follows is not handed out, whether it was before or not. */
        CLOSE_BEFORE,
        /** It is handed out as the last one of its batch, and the gate is closed. What follows is not handed out, whether it was before or not. */
        CLOSE_AFTER
    }

    /** Whether anything may be handed out now. */
    boolean isOpen();

    /**
     * Whether what was handed out before may be handed out once more after a rollback, although the gate is not open: a pause does not take it
     * back. Not what follows the entry at which the gate was closed. Called only when {@link #isOpen} is false.
     */
    default boolean isOpenAgain() {
        return false;
    }

    /** Whether {@link #judge} is called for each entry; otherwise all of a batch pass. */
    boolean inspectsEntries();

    /**
     * Decides about the next entry. After a rollback it is called for the same entries again.
     *
     * @param isFirst whether it is the first entry of a transaction, or of a statement that is none
     */
    Verdict judge(Entry entry, boolean isFirst);

    /**
     * Called for entries that were acked, in binlog order: each once, also those of older batches that were acked with a newer one.
     * Without the store's lock, by the thread that has acked them, so calls of several threads may overtake each other.
     */
    default void acked(List<Entry> entries) {}
}
