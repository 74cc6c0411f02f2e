package io.sluice.connector.stdout;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The sinks of one process. Destinations that name the same file share it, so that their lines stay whole when it is full.
 * Thread-safe.
 */
final class LineSinks {
    private final StandardOutput standardOutput = new StandardOutput();

    @GuardedBy("files") private final Map<Path, RollingFile> files = new HashMap<>();

    /** The sink that settings name. A file that is open keeps the limits with which it was opened first. */
    LineSink of(StdoutSettings settings) {
        Path path = settings.file();
        if (path == null) {
            return standardOutput;
        }
        synchronized (files) {
            return files.computeIfAbsent(path, file -> new RollingFile(file, settings.maxBytes(), settings.kept()));
        }
    }
}
