package io.sluice.format.entry;

import io.sluice.format.entry.ChangeId.Part;
import io.sluice.protocol.entry.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a rows event, told apart by keys. The header and the summary that entries of some rows have in common are made when
 * they are first needed, without a lock: for one thread at a time.
 */
final class SplitRows implements RowPieces {
    private final RowsEntry whole;
    private final int count;
    private final int[] hashes;
    private final byte @Nullable [] @Nullable [] keys;

    /** Where the images of each row start. */
    private final int[] starts;

    /** Per piece its row and its part; null if each row is one piece. */
    private final int @Nullable [] rows;

    private final Part @Nullable [] parts;

    private @Nullable EventSummary summary;
    private byte @Nullable [] header;

    SplitRows(
            RowsEntry whole,
            int[] starts,
            int[] hashes,
            byte @Nullable [] @Nullable [] keys,
            int @Nullable [] rows,
            Part @Nullable [] parts) {
        this.whole = whole;
        this.starts = starts;
        this.hashes = hashes;
        this.keys = keys;
        this.rows = rows;
        this.parts = parts;
        this.count = hashes.length;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public EventType type(int piece) {
        return switch (part(piece)) {
            case WHOLE -> whole.eventType();
            case BEFORE -> EventType.DELETE;
            case AFTER -> EventType.INSERT;
        };
    }

    private Part part(int piece) {
        return parts == null ? Part.WHOLE : parts[piece];
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
        Part part = part(pieces[0]);
        if (part == Part.WHOLE && pieces.length == starts.length) {
            return whole;
        }
        if (rows == null) {
            return new RowsEntry(whole, type(pieces[0]), new RowChoice(this, pieces, part));
        }
        int[] chosen = new int[pieces.length];
        for (int i = 0; i < pieces.length; i++) {
            chosen[i] = rows[pieces[i]];
        }
        return new RowsEntry(whole, type(pieces[0]), new RowChoice(this, chosen, part));
    }

    /** How many rows the event has. */
    int rowCount() {
        return starts.length;
    }

    /** Where the images of a row start. */
    int start(int row) {
        return starts[row];
    }

    /** The protobuf header, with its tag and length, of entries of some of the rows, as long as these are not halves of updates; null if none was made yet. */
    byte @Nullable [] header() {
        return header;
    }

    /** Keeps that header. */
    void keepHeader(byte[] made) {
        header = made;
    }

    /** What flat messages say of all rows together; made when it is first asked for. */
    EventSummary summary(RowsFlat flat) {
        EventSummary known = summary;
        if (known == null) {
            known = flat.summarize(whole, this);
            summary = known;
        }
        return known;
    }
}
