package io.sluice.stream.options;

import io.sluice.stream.xa.HeldSpace;
import java.nio.file.Path;

/**
 * Options for transactions of which the source may log rows that it rolls back: what of one exceeds the memory is in a file until the
 * transaction ends.
 *
 * @param directory the directory for the files
 * @param memoryBytes how much of a transaction is held in memory, about
 * @param maxBytes how large the file of a transaction may become
 */
public record TransactionSpill(Path directory, int memoryBytes, long maxBytes) {
    /** How much of a transaction is held in memory where nothing else is set, with or without a file for the rest. */
    public static final int DEFAULT_MEMORY_BYTES = 1 << 19;

    private static final String PREFIX = "transaction-";

    /** The storage that these options describe. */
    public HeldSpace space() {
        return new HeldSpace(directory, PREFIX, 0);
    }

    /**
     * Deletes the files that an earlier run left, whether or not there are files now.
     *
     * @param directory the directory for the files; it need not exist
     */
    public static void clean(Path directory) {
        HeldSpace.clean(directory, PREFIX);
    }
}
