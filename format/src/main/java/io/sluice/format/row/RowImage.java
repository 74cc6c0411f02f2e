package io.sluice.format.row;

/** Where the value of each column of one row image is, also of columns that are not delivered, and how long it is. */
public final class RowImage {
    /** Instead of a length: the column is NULL; or it is not in the image, or not delivered. */
    public static final int NULL = -1;

    public static final int ABSENT = -2;

    /** The codes from here down hold the length of a text that is in {@link RowImages#rebuilt}. */
    private static final int REBUILT = -3;

    /** Values of more bytes are written one by one: there is not room for several times as much. */
    public static final int LARGE = 1 << 11;

    int[] offsets = {};
    int[] lengths = {};

    /** How many bytes all values take, and where they end. */
    int valueBytes;

    int end;

    /** How many columns the table has; the arrays may be longer. */
    private int count;

    RowImage() {}

    /** Where the value of each column starts; the array may be longer. Not to be changed, as {@link #lengths}. */
    public int[] offsets() {
        return offsets;
    }

    /** How long each value is, in bytes; {@link #NULL}, {@link #ABSENT}, or the code of a {@linkplain #isRebuilt rebuilt} one. */
    public int[] lengths() {
        return lengths;
    }

    /** How many bytes those take at most that are not {@link #LARGE}. */
    public int smallBytes() {
        if (valueBytes <= LARGE) {
            return valueBytes;
        }
        int small = 0;
        for (int i = 0; i < count; i++) {
            int length = lengths[i];
            small += length > 0 && length <= LARGE ? length : 0;
        }
        return small;
    }

    /** Whether a length is that of a text in {@link RowImages#rebuilt}. */
    public static boolean isRebuilt(int length) {
        return length <= REBUILT;
    }

    /** The length of a rebuilt text in bytes; and the code of such a length. */
    public static int rebuiltLength(int length) {
        return REBUILT - length;
    }

    void fit(int columns) {
        count = columns;
        if (offsets.length < columns) {
            offsets = new int[columns];
            lengths = new int[columns];
        }
    }
}
