package io.sluice.schema.history.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Loads SQLite's native library once per process.
 *
 * <p>The driver unpacks the library into a directory and leaves the copy there if the process is killed. Here it is unpacked into a
 * private directory, which is deleted as soon as the library is loaded. A directory on a file system that is mounted {@code noexec}
 * cannot be used; then the directory of the history is tried.
 */
final class SqliteLibrary {
    private static final String DIRECTORY_PROPERTY = "org.sqlite.tmpdir";

    private static final Logger LOG = LoggerFactory.getLogger(SqliteLibrary.class);

    private static boolean loaded;

    private SqliteLibrary() {}

    /**
     * Loads the library, unless it is loaded.
     *
     * @param fallback a directory to unpack it into if that for temporary files cannot be used
     * @throws HistoryException if it cannot be loaded from either
     */
    static synchronized void load(Path fallback) {
        if (loaded) {
            return;
        }
        String configured = System.getProperty(DIRECTORY_PROPERTY);
        List<Path> directories = new ArrayList<>();
        directories.add(Path.of(configured == null ? System.getProperty("java.io.tmpdir") : configured));
        if (configured == null) {
            directories.add(fallback);
        }
        Exception failure = null;
        for (Path directory : directories) {
            try {
                uninterrupted(directory);
                loaded = true;
                return;
            } catch (ExecutionException e) {
                if (failure != null) {
                    e.addSuppressed(failure);
                }
                failure = e;
            }
        }
        throw new HistoryException(
                ("the native library of SQLite, which keeps the schema history, cannot be loaded from %s on %s %s: %s;"
                                + " add -D%s=<directory> to JAVA_OPTS with a directory that can be written and is not mounted noexec;"
                                + " if there is no library for this platform, keep the history in MySQL (canal.instance.tsdb.url)")
                        .formatted(
                                directories,
                                System.getProperty("os.name"),
                                System.getProperty("os.arch"),
                                failure == null ? "" : failure.getCause(),
                                DIRECTORY_PROPERTY),
                failure);
    }

    /** Loads it on a thread of its own, since an interrupt would close the channel that it is unpacked through. */
    private static void uninterrupted(Path directory) throws ExecutionException {
        UninterruptedTask.run(
                "sqlite-library",
                () -> {
                    loadFrom(directory);
                    return true;
                },
                () -> {});
    }

    private static void loadFrom(Path directory) throws Exception {
        String before = System.getProperty(DIRECTORY_PROPERTY);
        Path own = Files.createTempDirectory(directory, "sluice-sqlite-");
        try {
            System.setProperty(DIRECTORY_PROPERTY, own.toString());
            if (!SQLiteJDBCLoader.initialize()) {
                throw new IOException("it cannot be loaded from " + directory);
            }
        } finally {
            if (before == null) {
                System.clearProperty(DIRECTORY_PROPERTY);
            } else {
                System.setProperty(DIRECTORY_PROPERTY, before);
            }
            delete(own);
        }
    }

    /** Deletes what was unpacked: a library that is loaded does not need its file, except on Windows, where it stays. */
    private static void delete(Path own) {
        try (Stream<Path> files = Files.list(own)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(own);
        } catch (IOException e) {
            LOG.debug("a copy of SQLite's native library cannot be deleted: directory={}", own, e);
        }
    }
}
