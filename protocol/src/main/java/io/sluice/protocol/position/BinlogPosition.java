package io.sluice.protocol.position;

import java.util.OptionalInt;

/**
 * A position in the binlog of a server: where an event starts, or where the one before it ends.
 *
 * @param file the binlog file's name, such as {@code binlog.000007}; empty if the position is known by a GTID set only
 * @param offset in bytes from the beginning of the file
 */
public record BinlogPosition(String file, long offset) {
    /** The offset of the first event of every file, after the magic number. */
    public static final long FIRST_OFFSET = 4;

    /** The position that is known by a GTID set only, or not at all. */
    public static final BinlogPosition UNKNOWN = new BinlogPosition("", FIRST_OFFSET);

    /** Whether it names a file. */
    public boolean isKnown() {
        return !file.isEmpty();
    }

    /**
     * Compares with another position in the binlog of the same server: by the number of the file, which counts on past
     * 999999, then by offset.
     *
     * @return empty if the files do not belong to one series, so that neither is known to be the earlier
     */
    public OptionalInt compareTo(BinlogPosition other) {
        OptionalInt files = compareFiles(file, other.file);
        return files.isPresent() && files.getAsInt() == 0 ? OptionalInt.of(Long.compare(offset, other.offset)) : files;
    }

    /** Whether it is known to be before another position in the binlog of the same server. */
    public boolean isBefore(BinlogPosition other) {
        return compareTo(other).orElse(0) < 0;
    }

    /** Compares file names by the number after the last dot; empty if the names do not belong to one series of files. */
    public static OptionalInt compareFiles(String one, String other) {
        if (one.equals(other)) {
            return OptionalInt.of(0);
        }
        int dot = one.lastIndexOf('.');
        if (dot < 0 || other.lastIndexOf('.') != dot || !other.regionMatches(0, one, 0, dot)) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(Long.compare(number(one, dot), number(other, dot)));
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    private static long number(String file, int dot) {
        return Long.parseLong(file, dot + 1, file.length(), 10);
    }

    @Override
    public String toString() {
        return file + ":" + offset;
    }
}
