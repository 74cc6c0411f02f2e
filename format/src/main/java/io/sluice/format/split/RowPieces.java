package io.sluice.format.split;

import io.sluice.format.entry.Entry;
import io.sluice.protocol.entry.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an entry one by one, in their order; an update that a {@link RowCut} splits is two pieces, one after the
 * other. They do not change. Pieces, and the entries made of them, are for one thread at a time: they share what was
 * computed for one of them.
 */
public interface RowPieces {
    /** How many there are. */
    int count();

    /** What happened to the row: the type of the entry, but DELETE and INSERT for the halves of an update. */
    EventType type(int piece);

    /**
     * The hash of the key's columns: {@link String#hashCode} of each column's text, joined by exclusive or. A column that is
     * NULL, or not there, counts as an empty text. The values are those before a delete, and else those after.
     */
    int hash(int piece);

    /**
     * The message's key: the text of its column, or a JSON array of the texts of its columns, in UTF-8. A column that is not
     * in the image after an update has the value before.
     *
     * @return null if none is asked for, the table has none of its columns, or its one column is NULL
     */
    byte @Nullable [] messageKey(int piece);

    /**
     * An entry of some pieces. It is like the whole, but for the rows: its head counts all rows of the whole, as canal's
     * does, and the flat form describes the columns as those of the whole.
     *
     * @param pieces which ones, ascending, all of one type; not changed any more
     */
    Entry entryOf(int... pieces);
}
