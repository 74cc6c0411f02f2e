package io.sluice.stream.options;

import io.sluice.stream.xa.HeldSpace;
import java.nio.file.Path;

/**
 * Options for holding back the rows of XA transactions until {@code XA COMMIT}.
 *
 * @param directory the directory for the files of those that exceed the memory
 * @param memoryBytes how much memory all of them may take
 */
public record XaHolding(Path directory, long memoryBytes) {
    private static final String PREFIX = "xa-";

    /** The storage for held events that these options describe. */
    public HeldSpace space() {
        return new HeldSpace(directory, PREFIX, memoryBytes);
    }

    /**
     * Deletes the files that an earlier run left, whether or not rows are held back now.
     *
     * @param directory the directory for the files; it need not exist
     */
    public static void clean(Path directory) {
        HeldSpace.clean(directory, PREFIX);
    }

    /** Returns a copy with the given memory that all held transactions may take, in bytes. */
    public XaHolding withMemory(long bytes) {
        return new XaHolding(directory, bytes);
    }
}
