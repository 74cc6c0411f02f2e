package io.sluice.stream.source.watch;

/**
 * How far reading is behind the end of a source's binlog.
 *
 * @param seconds between the newest event that was read and now, by the source's clock; 0 if all was read; -1 if unknown
 * @param bytes of binlog between what was read and its end; -1 if unknown
 */
public record Lag(long seconds, long bytes) {
    /** Unknown: nothing was read yet, or the end of the source's binlog is not known. */
    public static final Lag UNKNOWN = new Lag(-1, -1);

    /** All was read. */
    public static final Lag NONE = new Lag(0, 0);
}
