package io.sluice.server.config;

import io.sluice.store.cursor.FileCursorStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Where an instance keeps how far it was read.
 *
 * @param kind what keeps it
 * @param directory the instance's own directory below {@code canal.file.data.dir}
 * @param flushPeriod how long a moved cursor may stay unwritten
 */
public record CursorConfig(CursorKind kind, Path directory, Duration flushPeriod) {
    /**
     * Whether cursors are in a file, and it is there. If it has none, they were deleted on purpose: with what is lost the file is gone,
     * too.
     */
    public boolean hasFile() {
        return kind == CursorKind.FILE && Files.exists(directory.resolve(FileCursorStore.FILE_NAME));
    }
}
