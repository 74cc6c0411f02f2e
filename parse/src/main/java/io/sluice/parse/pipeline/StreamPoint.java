package io.sluice.parse.pipeline;

/**
 * A place in the binlog where an event starts.
 *
 * @param file the binlog file's name
 * @param offset in bytes
 */
public record StreamPoint(String file, long offset) {
    @Override
    public String toString() {
        return file + ":" + offset;
    }
}
