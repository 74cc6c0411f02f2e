package io.sluice.format.entry;

import io.sluice.format.entry.RowImages.Image;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * The columns of a table, with all that rows events and messages need of them. It does not know the name of the table, so that
 * tables with the same columns share it. Immutable.
 */
public final class RowLayout {
    /** It, its lists, and its place in maps, roughly. */
    private static final int OBJECT_BYTES = 200;

    /** A {@link MappedTable.Column}, and the references to it and to its mapped form. */
    private static final int BYTES_PER_COLUMN = 32 + 2 * HeapBytes.REFERENCE;

    /** What it was made of. */
    final List<MappedTable.Column> source;

    final MappedColumn[] columns;

    /** How much room its columns need beside their values. */
    final int protobufRoom;

    final int jsonRoom;

    /** What flat messages say of the columns when all are present, as nearly always. */
    final FlatColumns flatColumns;

    /** Bits, as in rows events, of the columns that are delivered; and of those of them that identify a row. */
    final byte[] deliveredBits;

    final byte[] keyBits;

    private final int heapBytes;

    RowLayout(List<MappedTable.Column> source, MappedColumn[] columns) {
        this.source = source;
        this.columns = columns;
        int roomInProtobuf = 0;
        int roomInJson = 0;
        int bytes = OBJECT_BYTES;
        for (MappedColumn column : columns) {
            roomInProtobuf += column.protobufRoom();
            roomInJson += column.jsonRoom();
            bytes += column.heapBytes() + BYTES_PER_COLUMN;
        }
        this.protobufRoom = roomInProtobuf;
        this.jsonRoom = roomInJson;
        this.flatColumns = new FlatColumns(columns);
        this.deliveredBits = bitsOf(column -> column.delivered);
        boolean hasPrimary = Arrays.stream(columns).anyMatch(column -> column.delivered && column.key);
        this.keyBits = hasPrimary ? bitsOf(column -> column.delivered && column.key) : deliveredBits;
        this.heapBytes = bytes + flatColumns.heapBytes() + HeapBytes.of(deliveredBits) + HeapBytes.of(keyBits);
    }

    private byte[] bitsOf(Predicate<MappedColumn> wanted) {
        byte[] bits = new byte[(columns.length + 7) / 8];
        for (int i = 0; i < columns.length; i++) {
            if (wanted.test(columns[i])) {
                bits[i >> 3] |= (byte) (1 << (i & 7));
            }
        }
        return bits;
    }

    /** Whether an image has all columns that are delivered. */
    boolean isWhole(Image image) {
        for (int i = 0; i < columns.length; i++) {
            if (columns[i].delivered && image.lengths[i] == RowImages.ABSENT) {
                return false;
            }
        }
        return true;
    }

    /** How much memory it takes, roughly; names and types of columns belong to the schema of the table. */
    int heapBytes() {
        return heapBytes;
    }
}
