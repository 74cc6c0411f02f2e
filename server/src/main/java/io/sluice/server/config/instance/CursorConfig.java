package io.sluice.server.config.instance;

import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.file.FileCursorEditor;
import io.sluice.store.cursor.file.FileCursorStore;
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
     * Whether cursors are in a file, and it has no client: then they were deleted on purpose. With what is lost the file is gone, too, or has the
     * client of a start that has failed since.
     *
     * @throws CursorException if it cannot be read
     */
    public boolean isEmptied() {
        return kind == CursorKind.FILE
                && Files.exists(directory.resolve(FileCursorStore.FILE_NAME))
                && editor().read().isEmpty();
    }

    private FileCursorEditor editor() {
        return new FileCursorEditor(
                directory.resolve("..").normalize(), directory.getFileName().toString());
    }
}
