package io.sluice.stream.pipeline;

import io.sluice.protocol.time.Time;
import java.nio.file.Path;

/**
 * Options for holding back the rows of XA transactions until {@code XA COMMIT}.
 *
 * @param directory the directory for the files of those that exceed the memory
 * @param memoryBytes how much memory all of them may take
 * @param time measures how long one is undecided
 */
public record XaHolding(Path directory, long memoryBytes, Time time) {}
