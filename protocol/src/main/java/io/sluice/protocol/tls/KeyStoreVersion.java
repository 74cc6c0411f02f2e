package io.sluice.protocol.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * One version of the file of a key store, to find out whether it has changed without opening it.
 *
 * @param modified null if there is no such file
 * @param bytes its size
 * @param inode what the file system knows it by, which changes if it is replaced; null if there is none
 * @param isReadable whether this process may read it
 */
public record KeyStoreVersion(
        @Nullable FileTime modified, long bytes, @Nullable Object inode, boolean isReadable) {
    /** The version that is there now. To be taken before the file is read: if it is replaced meanwhile, the next version is another one. */
    public static KeyStoreVersion of(KeyStoreFile file) {
        try {
            BasicFileAttributes now = Files.readAttributes(file.path(), BasicFileAttributes.class);
            return new KeyStoreVersion(
                    now.lastModifiedTime(), now.size(), now.fileKey(), Files.isReadable(file.path()));
        } catch (IOException e) {
            return new KeyStoreVersion(null, 0, null, false);
        }
    }

    /** Whether there was such a file. */
    public boolean exists() {
        return modified != null;
    }
}
