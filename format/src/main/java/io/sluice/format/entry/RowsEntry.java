package io.sluice.format.entry;

import io.sluice.format.row.MappedTable;
import io.sluice.format.row.RowChoice;
import io.sluice.format.row.RowImages;
import io.sluice.format.row.RowPart;
import io.sluice.format.value.PartialJson;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.protocol.entry.EventType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one rows event, or some of them, as the row images that they came in.
 *
 * <p>Immutable, but for the number of rows and the size of what is compressed in them, which are counted when they are first needed: every
 * thread counts the same.
 */
public final class RowsEntry extends TableEntry {
    private final long tableId;
    private final @Nullable PartialJson partialJson;
    private final RowRules rules;
    private final int firstRow;
    private final @Nullable RowChoice choice;
    private final int from;
    private final int to;
    private final EventBytes source;
    private int rows = -1;

    /** What {@link #sizeBytes} found; 0 if it was not asked yet. */
    private int sizeBytes;

    /**
     * Makes an entry of a rows event.
     *
     * @param origin where its event is
     * @param type INSERT, UPDATE or DELETE
     * @param table what its rows are rows of
     * @param tableId the id that the event calls the table by
     * @param source the bytes it came in
     * @param from where its column count is in them
     * @param to where its last row ends, exclusive
     * @param partialJson what becomes of JSON values that are logged as differences; null if the event has none
     * @param firstRow which row of its event its first one is, from 0
     * @param rules how its rows become messages
     */
    public RowsEntry(
            Origin origin,
            EventType type,
            MappedTable table,
            long tableId,
            EventBytes source,
            int from,
            int to,
            @Nullable PartialJson partialJson,
            int firstRow,
            RowRules rules) {
        super(origin, type, table);
        this.tableId = tableId;
        this.source = source;
        this.from = from;
        this.to = to;
        this.partialJson = partialJson;
        this.firstRow = firstRow;
        this.choice = null;
        this.rules = rules;
    }

    private RowsEntry(RowsEntry whole, EventType type, RowChoice choice) {
        super(whole.origin(), type, whole.table());
        this.tableId = whole.tableId;
        this.source = whole.source;
        this.from = whole.from;
        this.to = whole.to;
        this.partialJson = whole.partialJson;
        this.rules = whole.rules;
        this.firstRow = whole.firstRow;
        this.choice = choice;
        this.rows = choice.rows().length;
    }

    /** Counted by the encoder, else by walking over the rows. */
    @Override
    public int rowCount() {
        if (rows >= 0) {
            return rows;
        }
        try {
            rows = countRows();
        } catch (MalformedEventException e) {
            throw located(e);
        }
        return rows;
    }

    private int countRows() {
        RowImages images = new RowImages();
        open(images);
        int count = 0;
        while (images.hasNext()) {
            images.next();
            if (isUpdate()) {
                images.passAfter();
            }
            count++;
        }
        return count;
    }

    /** With the texts of values that are compressed, as their lengths are stated before them. */
    @Override
    public int sizeBytes() {
        if (sizeBytes == 0) {
            sizeBytes = table().layout().hasCompressed() ? unpackedBytes() : heldBytes();
        }
        return sizeBytes;
    }

    private int unpackedBytes() {
        long bytes = heldBytes();
        try {
            RowImages images = new RowImages();
            open(images);
            while (images.hasNext()) {
                bytes += images.unpackedBytes(images.next());
                if (isUpdate()) {
                    bytes += images.unpackedBytes(images.passAfter());
                }
            }
        } catch (MalformedEventException e) {
            return heldBytes(); // its encoder states so
        }
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    /** An entry of some of its rows, which an encoder writes as being of a type. */
    public RowsEntry choose(EventType type, RowChoice some) {
        return new RowsEntry(this, type, some);
    }

    /**
     * Opens its row images.
     *
     * @throws MalformedEventException if they are not of its table; see {@link #located}
     */
    public void open(RowImages images) {
        images.open(
                table().layout(),
                source.array(),
                from,
                to,
                hasTwoImages(),
                partialJson,
                rules.completesAfter(),
                choice);
    }

    @Override
    public ChangeId changeId() {
        RowChoice some = choice;
        return some == null
                ? origin().changeId(firstRow, rowCount(), RowPart.WHOLE)
                : origin().changeId(firstRow + some.rows()[0], some.rows().length, some.part());
    }

    /** Which rows of its event are its own; null if all are. */
    public @Nullable RowChoice choice() {
        return choice;
    }

    /** Whether there are two images of each row in its bytes. */
    private boolean hasTwoImages() {
        return eventType() == EventType.UPDATE || choice != null && choice.part() != RowPart.WHOLE;
    }

    /** The id that its event calls the table by. */
    public long tableId() {
        return tableId;
    }

    public RowRules rules() {
        return rules;
    }

    /** Whether JSON values may be logged as differences; not all rows of its event have the same columns then. */
    public boolean hasPartialJson() {
        return partialJson != null;
    }

    /** How JSON values are delivered that are logged as differences; null if its event has none. */
    public @Nullable PartialJson partialJson() {
        return partialJson;
    }

    /** The bytes of its rows, from the column count on; the bytes of its event must be known. */
    public EventBody images() {
        return new EventBody(source.array(), from, to);
    }

    public boolean isUpdate() {
        return eventType() == EventType.UPDATE;
    }

    /** How many rows it holds; less than zero if they were not counted yet. */
    public int knownRowCount() {
        return rows;
    }

    /** Which row of its event its first one is, from 0. */
    public int firstRow() {
        return firstRow;
    }

    /**
     * Returns an entry with a copy of the rows, so that a few of them do not keep all the bytes alive in which they came. Called by the
     * reader, before the entry is handed on.
     */
    public RowsEntry detached() {
        byte[] own = Arrays.copyOfRange(source.array(), from, to);
        return new RowsEntry(
                origin(),
                eventType(),
                table(),
                tableId,
                EventBytes.of(own),
                0,
                own.length,
                partialJson,
                firstRow,
                rules);
    }

    /** The failure of reading its bytes, with its table and position. */
    public MalformedEventException located(MalformedEventException cause) {
        return new MalformedEventException(
                "the rows event of %s.%s at %s:%d cannot be read: %s"
                        .formatted(
                                table().schema(),
                                table().table(),
                                origin().file().name(),
                                origin().offset(),
                                cause.getMessage()),
                cause);
    }

    /** Takes the number of its rows from the encoder, which has counted them. */
    public void counted(int count) {
        rows = count;
    }

    @Override
    public int sourceBytes() {
        return to - from;
    }
}
