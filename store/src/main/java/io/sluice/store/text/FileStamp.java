package io.sluice.store.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which file is at a path, and its version, as far as that is seen without reading it.
 *
 * @param key identifies the file; null on a file system that has no such keys
 */
public record FileStamp(@Nullable Object key, long bytes, FileTime modified) {
    /** Returns that of the file at a path; null if there is none. */
    public static @Nullable FileStamp of(Path path) throws IOException {
        try {
            BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
            return new FileStamp(found.fileKey(), found.size(), found.lastModifiedTime());
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Whether it is of the same file, in whatever version. */
    public boolean isOfSameFile(@Nullable FileStamp other) {
        return other != null && Objects.equals(key, other.key);
    }
}
