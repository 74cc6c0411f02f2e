package io.sluice.format.row;

/** How much memory objects take, roughly: as in a JVM with compressed references. */
final class HeapBytes {
    /** A reference. */
    static final int REFERENCE = 4;

    private static final int ARRAY_HEADER = 16;
    private static final int ALIGNMENT = 8;

    private HeapBytes() {}

    static int of(byte[] array) {
        return ofArray(array.length);
    }

    /** An array whose elements take so many bytes together. */
    static int ofArray(int elementBytes) {
        return (ARRAY_HEADER + elementBytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
