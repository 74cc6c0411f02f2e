package io.sluice.stream.pipeline;

import io.sluice.protocol.time.Time;
import java.nio.file.Path;

/**
 * How rows of XA transactions are held back until {@code XA COMMIT}.
 *
 * @param directory takes the files of those that exceed the memory
 * @param memoryBytes how much memory all of them may take
 * @param time tells how long one is undecided
 */
public record XaHolding(Path directory, long memoryBytes, Time time) {}
