package io.sluice.connector.stdout;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where lines go, and what is before them.
 *
 * @param file absolute; null for standard output
 * @param maxBytes the size at which the file is full; 0 for no bound
 * @param kept how many full files are kept
 * @param prefixed whether topic and partition are before each line
 */
record StdoutSettings(@Nullable Path file, long maxBytes, int kept, boolean prefixed) {}
