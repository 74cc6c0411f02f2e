package io.sluice.stream.pipeline;

import java.nio.file.Path;

/**
 * Options for holding back the rows of XA transactions until {@code XA COMMIT}.
 *
 * @param directory the directory for the files of those that exceed the memory
 * @param memoryBytes how much memory all of them may take
 */
public record XaHolding(Path directory, long memoryBytes) {
    /** The same with another share of memory. */
    public XaHolding withMemory(long bytes) {
        return new XaHolding(directory, bytes);
    }
}
