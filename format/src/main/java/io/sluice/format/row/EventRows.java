package io.sluice.format.row;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Where the rows of one event are, for entries that hold only some of them. What an encoder computed for one of these entries is kept
 * for the others. For one thread at a time.
 */
public final class EventRows {
    private final int[] starts;
    private final BitSet split;
    private @Nullable Object shared;

    /**
     * Takes what a walk over the event has found.
     *
     * @param starts where the images of each row start; taken over
     * @param split the rows whose updates are split into their parts; taken over
     */
    public EventRows(int[] starts, BitSet split) {
        this.starts = starts;
        this.split = split;
    }

    /** How many rows the event has. */
    public int count() {
        return starts.length;
    }

    /** Where the images of a row start. */
    public int start(int row) {
        return starts[row];
    }

    /** Whether the update of a row is split, so that no entry has it as {@link RowPart#WHOLE}. */
    public boolean isSplit(int row) {
        return split.get(row);
    }

    /** The last row whose update is not split; 0 if there is none. */
    public int lastWhole() {
        return Math.max(0, split.previousClearBit(starts.length - 1));
    }

    /** What {@link #share} was given last, if it is of this class; else null. */
    public <T> @Nullable T shared(Class<T> type) {
        Object known = shared;
        return type.isInstance(known) ? type.cast(known) : null;
    }

    /** Keeps a value that holds for all entries of these rows, replacing any before. */
    public void share(Object value) {
        shared = value;
    }
}
