package io.sluice.mysql.wire.query;

/** Counts the heap of a text that is made of pieces. Java keeps it with two bytes for each character if one of them is above U+00FF. For one thread. */
public final class TextHeap {
    private static final char LAST_OF_ONE_BYTE = '\u00ff';

    private long units;
    private boolean isWide;

    /**
     * Adds a piece.
     *
     * @return by how many bytes the text grows
     */
    public long add(String piece) {
        long before = bytes();
        isWide = isWide || piece.chars().anyMatch(c -> c > LAST_OF_ONE_BYTE);
        units += piece.length();
        return bytes() - before;
    }

    private long bytes() {
        return isWide ? 2 * units : units;
    }
}
