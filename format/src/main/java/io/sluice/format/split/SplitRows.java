package io.sluice.format.split;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.row.EventRows;
import io.sluice.format.row.RowChoice;
import io.sluice.format.row.RowPart;
import io.sluice.protocol.entry.EventType;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The rows of a rows event, split by keys. For one thread at a time. */
final class SplitRows implements RowPieces {
    private final RowsEntry whole;
    private final int[] hashes;
    private final byte @Nullable [] @Nullable [] keys;

    /** Where the images of each row start. */
    private final int[] starts;

    /** Per piece its row and its part; null if each row is one piece. */
    private final int @Nullable [] rows;

    private final RowPart @Nullable [] parts;

    /** What entries of some of the rows have in common; null until there is one. */
    private @Nullable EventRows event;

    SplitRows(
            RowsEntry whole,
            int[] starts,
            int[] hashes,
            byte @Nullable [] @Nullable [] keys,
            int @Nullable [] rows,
            RowPart @Nullable [] parts) {
        this.whole = whole;
        this.starts = starts;
        this.hashes = hashes;
        this.keys = keys;
        this.rows = rows;
        this.parts = parts;
    }

    @Override
    public int count() {
        return hashes.length;
    }

    @Override
    public EventType type(int piece) {
        return switch (part(piece)) {
            case WHOLE -> whole.eventType();
            case BEFORE -> EventType.DELETE;
            case AFTER -> EventType.INSERT;
        };
    }

    private RowPart part(int piece) {
        return parts == null ? RowPart.WHOLE : parts[piece];
    }

    @Override
    public int hash(int piece) {
        return hashes[piece];
    }

    @Override
    public byte @Nullable [] messageKey(int piece) {
        return keys == null ? null : keys[piece];
    }

    @Override
    public Entry entryOf(int... pieces) {
        RowPart part = part(pieces[0]);
        if (part == RowPart.WHOLE && pieces.length == starts.length) {
            return whole;
        }
        return whole.choose(type(pieces[0]), new RowChoice(event(), rowsOf(pieces), part));
    }

    private int[] rowsOf(int[] pieces) {
        int[] all = rows;
        if (all == null) {
            return pieces;
        }
        int[] chosen = new int[pieces.length];
        for (int i = 0; i < pieces.length; i++) {
            chosen[i] = all[pieces[i]];
        }
        return chosen;
    }

    private EventRows event() {
        EventRows known = event;
        if (known == null) {
            known = new EventRows(starts, splitRows());
            event = known;
        }
        return known;
    }

    private BitSet splitRows() {
        BitSet split = new BitSet();
        int[] all = rows;
        if (all != null) {
            for (int piece = 0; piece < all.length; piece++) {
                if (part(piece) != RowPart.WHOLE) {
                    split.set(all[piece]);
                }
            }
        }
        return split;
    }
}
