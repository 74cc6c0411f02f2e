package io.sluice.format.row;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.protocol.entry.EventType;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table, as rows events have them. It does not know the name of the table, so that tables with the same columns
 * share it. Immutable, but for what encoders prepare of it.
 */
public final class RowLayout {
    /** It, its lists, and its place in maps, roughly. */
    private static final int OBJECT_BYTES = 240;

    /** What an encoder prepares of a column, roughly: an object, and texts in which are the column's name and its type. */
    private static final int PREPARED_BYTES = 200;

    private static final int PREPARED_NAMES = 3;
    private static final int PREPARED_TYPES = 2;

    final MappedColumn[] columns;

    /** Bits, as in rows events, of the columns that are delivered and not generated, which the images of a whole row have. */
    private final byte[] wholeBits;

    /** The delivered columns that identify a row: the primary key, or {@link #wholeBits} without one. */
    private final byte[] keyBits;

    /** Of the logged columns that are generated, delivered or not; null if there are none. And of the other logged ones. */
    private final byte @Nullable [] generatedBits;

    private final byte[] otherBits;

    /** Of the columns that no image has; null if there are none. */
    private final byte @Nullable [] unloggedBits;

    private final boolean compressed;
    private final List<MappedColumn> list;
    private final int heapBytes;
    private final Prepared<RowLayout> prepared = new Prepared<>();

    RowLayout(List<MappedColumn> columns) {
        this.list = columns;
        this.columns = columns.toArray(MappedColumn[]::new);
        this.wholeBits = bitsOf(column -> column.isDelivered() && !column.generated);
        boolean hasPrimary = columns.stream().anyMatch(column -> column.isDelivered() && column.isKey());
        this.keyBits = hasPrimary ? bitsOf(column -> column.isDelivered() && column.isKey()) : wholeBits;
        this.generatedBits = columns.stream().anyMatch(column -> column.logged && column.generated)
                ? bitsOf(column -> column.logged && column.generated)
                : null;
        this.otherBits = bitsOf(column -> column.logged && !column.generated);
        this.unloggedBits =
                columns.stream().allMatch(column -> column.logged) ? null : bitsOf(column -> !column.logged);
        this.compressed = columns.stream()
                .anyMatch(column -> column.isDelivered() && column.type().isCompressed());
        int bytes = OBJECT_BYTES + 3 * HeapBytes.of(wholeBits) + HeapBytes.of(keyBits);
        for (MappedColumn column : columns) {
            bytes += column.heapBytes()
                    + 2 * HeapBytes.REFERENCE
                    + PREPARED_BYTES
                    + PREPARED_NAMES * column.name().length()
                    + PREPARED_TYPES * column.mysqlType().length();
        }
        this.heapBytes = bytes;
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

    /** The columns in the order of the table map. */
    public List<MappedColumn> columns() {
        return list;
    }

    /**
     * What an encoder prepares of the columns; made when it is first asked for, and shared by all threads.
     *
     * @param type its class, of which there is one value
     * @param maker makes an immutable value
     */
    public <T> T prepared(Class<T> type, Function<? super RowLayout, ? extends T> maker) {
        return prepared.get(this, type, maker);
    }

    /**
     * Whether images with some columns show that the server leaves generated columns out, as MariaDB 11.8 does: they have all logged columns
     * but those, delivered or not. Images that {@code binlog_row_image} shortened lack others, too.
     *
     * @param bytes holds the bits of the columns that the images have
     */
    boolean lacksGeneratedAlone(byte[] bytes, int bitsAt) {
        byte[] generated = generatedBits;
        if (generated == null) {
            return false;
        }
        for (int i = 0; i < generated.length; i++) {
            if (((bytes[bitsAt + i] ^ otherBits[i]) & (otherBits[i] | generated[i])) != 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a rows event with differences of JSON values has columns of them whose values before it lacks.
     *
     * @param body the event from its column count on
     * @throws io.sluice.mysql.binlog.MalformedEventException if it ends too early
     */
    public boolean hasDifferencesAlone(EventBody body) {
        body.readPackedLong();
        EventBody beforeBits = body.slice((columns.length + 7) / 8);
        EventBody afterBits = body.slice((columns.length + 7) / 8);
        int before = 0;
        int after = 0;
        for (int i = 0; i < columns.length; i++) {
            if (i % 8 == 0) {
                before = beforeBits.readByte();
                after = afterBits.readByte();
            }
            int bit = 1 << i % 8;
            if (columns[i].hasDifferences() && (after & bit) != 0 && (before & bit) == 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the images that identify the rows of an event lack a column of the primary key; or, in a table without one,
     * any column that is not generated. Columns that are not delivered do not count.
     *
     * @param body the event from its column count on
     * @param completesAfter whether an image after an update takes what it lacks from the image before
     * @throws io.sluice.mysql.binlog.MalformedEventException if it ends too early
     */
    public boolean lacksKey(EventBody body, EventType type, boolean completesAfter) {
        if (body.readPackedLong() != columns.length) {
            return false; // not of this table, as is noticed when it is read
        }
        byte[] bytes = body.array();
        int firstAt = body.slice(keyBits.length).offset();
        if (type != EventType.UPDATE) {
            return lacks(keyBits, bytes, firstAt, firstAt);
        }
        int afterAt = body.slice(keyBits.length).offset();
        return lacks(keyBits, bytes, afterAt, completesAfter ? firstAt : afterAt);
    }

    /**
     * Whether an image of an event lacks a column that is delivered and not generated.
     *
     * @param body the event from its column count on
     * @throws io.sluice.mysql.binlog.MalformedEventException if it ends too early
     */
    public boolean lacksColumns(EventBody body, EventType type) {
        if (body.readPackedLong() != columns.length) {
            return false;
        }
        byte[] bytes = body.array();
        int firstAt = body.slice(wholeBits.length).offset();
        if (lacks(wholeBits, bytes, firstAt, firstAt)) {
            return true;
        }
        int afterAt = type == EventType.UPDATE ? body.slice(wholeBits.length).offset() : firstAt;
        return lacks(wholeBits, bytes, afterAt, afterAt);
    }

    /** Whether values that are delivered may be compressed. */
    public boolean hasCompressed() {
        return compressed;
    }

    /** Whether some columns are in the table map alone. */
    public boolean hasUnlogged() {
        return unloggedBits != null;
    }

    /**
     * Whether the images of an event have a column that is in the table map alone, so that the columns cannot be these.
     *
     * @param body the event from its column count on
     * @throws io.sluice.mysql.binlog.MalformedEventException if it ends too early
     */
    public boolean namesUnlogged(EventBody body, EventType type) {
        byte[] unlogged = unloggedBits;
        if (unlogged == null || body.readPackedLong() != columns.length) {
            return false;
        }
        int images = type == EventType.UPDATE ? 2 : 1;
        for (int image = 0; image < images; image++) {
            int at = body.slice(unlogged.length).offset();
            for (int i = 0; i < unlogged.length; i++) {
                if ((unlogged[i] & body.array()[at + i]) != 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether some bit is in neither of two bitmaps. */
    private static boolean lacks(byte[] wanted, byte[] bytes, int oneAt, int otherAt) {
        for (int i = 0; i < wanted.length; i++) {
            if ((wanted[i] & ~(bytes[oneAt + i] | bytes[otherAt + i])) != 0) {
                return true;
            }
        }
        return false;
    }

    /** How much memory it takes, roughly, with what an encoder prepares; names and types belong to the schema of the table. */
    int heapBytes() {
        return heapBytes;
    }
}
