package io.sluice.format.entry;

import org.jspecify.annotations.Nullable;

/**
 * The bytes that a run of events came in, shared by their entries.
 *
 * <p>The array is set once, by the reader, before any entry of it is handed on.
 */
public final class EventBytes {
    private byte @Nullable [] array;

    /** Bytes that are known already. */
    public static EventBytes of(byte[] bytes) {
        EventBytes known = new EventBytes();
        known.settle(bytes);
        return known;
    }

    /** States where the bytes are; offsets that were given before hold in this array. */
    public void settle(byte[] bytes) {
        array = bytes;
    }

    byte[] array() {
        byte[] settled = array;
        if (settled == null) {
            throw new IllegalStateException("the bytes of these events are still being read");
        }
        return settled;
    }
}
