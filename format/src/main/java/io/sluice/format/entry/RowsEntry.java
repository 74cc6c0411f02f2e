package io.sluice.format.entry;

import io.sluice.format.value.PartialJson;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one rows event, kept as the row images that they came in until their protobuf bytes are made ahead.
 *
 * <p>Before it is handed on, {@link #detach} moves the images to an array of their own, and {@link #encode} lets go of them. After that
 * only the number of rows is written, which is counted when it is first needed: every thread counts the same.
 */
public final class RowsEntry extends TableEntry {
    private static final ThreadLocal<RowsFlat> FLAT = ThreadLocal.withInitial(RowsFlat::new);
    private static final ThreadLocal<RowImages> COUNTED = ThreadLocal.withInitial(RowImages::new);
    private static final ThreadLocal<RowCutter> CUTTER = ThreadLocal.withInitial(RowCutter::new);

    private final long tableId;
    private final @Nullable PartialJson partialJson;
    private final RowRules rules;
    private final int firstRow;
    private final @Nullable RowChoice choice;
    private int from;
    private int to;
    private @Nullable EventBytes source;
    private int rows = -1;

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

    /** An entry of some rows of another one. */
    RowsEntry(RowsEntry whole, EventType type, RowChoice choice) {
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

    /** Counted when it is encoded, else by walking over the rows. */
    @Override
    public int rowCount() {
        if (rows >= 0) {
            return rows;
        }
        RowImages images = COUNTED.get();
        images.open(this);
        int count = 0;
        while (images.hasNext()) {
            images.next();
            if (isUpdate()) {
                images.passAfter();
            }
            count++;
        }
        images.close();
        rows = count;
        return count;
    }

    @Override
    public ChangeId changeId() {
        RowChoice some = choice;
        return some == null
                ? origin().changeId(firstRow, rowCount(), ChangeId.Part.WHOLE)
                : origin().changeId(firstRow + some.rows()[0], some.rows().length, some.part());
    }

    @Override
    public RowPieces pieces(RowCut cut) {
        if (choice != null) {
            throw new IllegalStateException("an entry made of pieces is not cut again");
        }
        RowCutter cutter = CUTTER.get();
        try {
            return cutter.cut(this, cut);
        } catch (MalformedEventException e) {
            throw located(e);
        } finally {
            cutter.close();
        }
    }

    /** Which rows of its bytes are its own; null if all are. */
    @Nullable RowChoice choice() {
        return choice;
    }

    /** Whether there are two images of each row in its bytes. */
    boolean hasTwoImages() {
        return eventType() == EventType.UPDATE || choice != null && choice.part() != ChangeId.Part.WHOLE;
    }

    long tableId() {
        return tableId;
    }

    RowRules rules() {
        return rules;
    }

    @Nullable PartialJson partialJson() {
        return partialJson;
    }

    boolean isUpdate() {
        return eventType() == EventType.UPDATE;
    }

    /** The event from its column count on. */
    EventBody body() {
        EventBytes bytes = source;
        if (bytes == null) {
            throw new IllegalStateException("the row images of an encoded entry are gone");
        }
        return new EventBody(bytes.array(), from, to);
    }

    /**
     * Copies the rows out of the bytes they came in, so that a few of them do not keep all those bytes alive. Called by
     * the reader, before the entry is handed on.
     */
    public void detach() {
        EventBytes shared = source;
        if (shared != null) {
            EventBytes own = new EventBytes();
            own.settle(Arrays.copyOfRange(shared.array(), from, to));
            source = own;
            to -= from;
            from = 0;
        }
    }

    @Override
    int writeStoreValue(ByteWriter out, RowsProtobuf protobuf) {
        try {
            int written = protobuf.write(this, out);
            return choice == null ? written : choice.of().rowCount(); // the head is that of the whole
        } catch (MalformedEventException e) {
            throw located(e);
        } finally {
            protobuf.close();
        }
    }

    @Override
    byte @Nullable [] sharedHeader() {
        RowChoice some = choice;
        return some != null && some.part() == ChangeId.Part.WHOLE ? some.of().header() : null;
    }

    @Override
    void shareHeader(ByteWriter out, int start) {
        RowChoice some = choice;
        if (some != null && some.part() == ChangeId.Part.WHOLE) {
            some.of().keepHeader(Arrays.copyOfRange(out.array(), start, out.size()));
        }
    }

    /** Of an event that is large it is counted now, so that its bytes need not be moved. */
    @Override
    int countedRows() {
        if (choice != null) {
            return choice.of().rowCount();
        }
        return isLarge() ? rowCount() : rows;
    }

    @Override
    public boolean writeFlat(ByteWriter out, long batchId, long builtAtMillis) {
        int start = out.size();
        RowsFlat flat = FLAT.get();
        try {
            flat.write(this, out, batchId, builtAtMillis);
            return true;
        } catch (MalformedEventException e) {
            out.setSize(start);
            throw located(e);
        } finally {
            flat.close();
        }
    }

    private MalformedEventException located(MalformedEventException cause) {
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

    void counted(int count) {
        rows = count;
    }

    @Override
    void releaseSource() {
        source = null;
    }

    @Override
    public boolean keepsSource() {
        return source != null;
    }

    @Override
    int sourceBytes() {
        return to - from;
    }
}
