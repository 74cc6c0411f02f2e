package io.sluice.format.split;

import io.sluice.format.row.MappedColumn;
import io.sluice.format.row.RowImage;
import io.sluice.format.row.RowImages;
import io.sluice.format.value.JsonText;
import io.sluice.protocol.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The columns of a table that a key names, and their texts in a row. Immutable; made once per layout and key. */
final class KeyColumns {
    private static final int NONE = -1;

    private final RowKey key;
    private final boolean ignoresCase;
    private final List<MappedColumn> columns;

    /** Where they are in the table; {@link #NONE} for a column that it does not have. */
    private final int[] indexes;

    private final boolean hasDocuments;

    KeyColumns(List<MappedColumn> columns, RowKey key, boolean ignoresCase) {
        this.key = key;
        this.ignoresCase = ignoresCase;
        this.columns = columns;
        List<Integer> found = new ArrayList<>();
        if (key.primary()) {
            for (int i = 0; i < columns.size(); i++) {
                if (columns.get(i).isKey() && columns.get(i).isDelivered()) {
                    found.add(i);
                }
            }
        } else {
            for (String name : key.columns()) {
                found.add(indexOf(name));
            }
        }
        indexes = found.stream().mapToInt(Integer::intValue).toArray();
        hasDocuments = Arrays.stream(indexes)
                .anyMatch(index -> index != NONE && columns.get(index).hasDifferences());
    }

    private int indexOf(String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (ignoresCase
                    ? columns.get(i).name().equalsIgnoreCase(name)
                    : columns.get(i).name().equals(name)) {
                return i;
            }
        }
        return NONE;
    }

    @SuppressWarnings("ReferenceEquality") // a table's entries nearly always come with the same object
    boolean isOf(RowKey otherKey, boolean otherIgnoresCase) {
        return ignoresCase == otherIgnoresCase && (key == otherKey || key.equals(otherKey));
    }

    /** Whether a column may be logged as its difference to the value before. */
    boolean hasDocuments() {
        return hasDocuments;
    }

    /**
     * The hash of a row.
     *
     * @param image where its values are
     * @param other where values are that the image lacks; null if they count as empty
     */
    int hash(RowImages images, RowImage image, @Nullable RowImage other, ByteWriter text) {
        int hash = 0;
        for (int index : indexes) {
            text.clear();
            if (index != NONE && writeText(images, choose(image, other, index), index, text)) {
                hash ^= TextHash.of(text.array(), 0, text.size());
            }
        }
        return hash;
    }

    /** Whether an update changes one of the columns; one that is not in both images is unchanged. */
    boolean differ(RowImages images, RowImage before, RowImage after, ByteWriter text) {
        for (int index : indexes) {
            if (index == NONE
                    || before.lengths()[index] == RowImage.ABSENT
                    || after.lengths()[index] == RowImage.ABSENT) {
                continue;
            }
            text.clear();
            boolean hadText = writeText(images, before, index, text);
            int length = text.size();
            boolean hasText = writeText(images, after, index, text);
            if (hadText != hasText || !Arrays.equals(text.array(), 0, length, text.array(), length, text.size())) {
                return true;
            }
        }
        return false;
    }

    /**
     * The texts of a row as the key of a message.
     *
     * @param other where values are that the image lacks
     * @return null if there are none
     */
    byte @Nullable [] text(RowImages images, RowImage image, @Nullable RowImage other, ByteWriter text) {
        text.clear();
        if (indexes.length == 1) {
            int index = indexes[0];
            boolean isThere = index != NONE && writeText(images, choose(image, other, index), index, text);
            return isThere ? text.toByteArray() : null;
        }
        boolean isAny = false;
        for (int index : indexes) {
            text.writeByte(text.size() == 0 ? '[' : ',');
            int start = text.size();
            text.writeByte('"');
            if (index != NONE && writeText(images, choose(image, other, index), index, text)) {
                JsonText.escapeFrom(text, start + 1);
                text.writeByte('"');
            } else {
                text.setSize(start);
                text.writeAscii("null");
            }
            isAny |= index != NONE;
        }
        text.writeByte(']');
        return isAny ? text.toByteArray() : null;
    }

    private static RowImage choose(RowImage image, @Nullable RowImage other, int index) {
        return other != null && image.lengths()[index] == RowImage.ABSENT ? other : image;
    }

    /** Appends the text of a value; false if there is none. */
    private boolean writeText(RowImages images, RowImage image, int index, ByteWriter text) {
        int length = image.lengths()[index];
        int at = image.offsets()[index];
        if (length >= 0) {
            columns.get(index).type().writeText(images.bytes(), at, length, text);
            return true;
        }
        if (RowImage.isRebuilt(length)) {
            text.write(images.rebuilt(), at, RowImage.rebuiltLength(length));
            return true;
        }
        return false;
    }
}
