package io.sluice.store.ring;

/** What the size of a batch counts: {@code canal.instance.memory.batch.mode}. */
public enum BatchMode {
    /** Units of {@code canal.instance.memory.buffer.memunit} bytes. */
    MEMSIZE,
    /** Entries. */
    ITEMSIZE
}
