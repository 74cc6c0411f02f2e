package io.sluice.admin.database;

import io.sluice.admin.problem.StartProblem;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;

/**
 * The native library of SQLite, which its driver unpacks into the directory for temporary files. Where that cannot be written, or programs must
 * not run from there, it is unpacked beside the database.
 *
 * <p>The driver deletes what it has unpacked when the JVM ends, but not after a crash: what has its lock file is in use, as far as it knows.
 */
final class SqliteLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteLibrary.class);
    private static final String DIRECTORY = "org.sqlite.tmpdir";

    /** Libraries and their lock files, as the driver names them. */
    private static final String UNPACKED = "sqlite-*-*sqlitejdbc.*";

    private final List<Path> leftovers;

    private SqliteLibrary(List<Path> leftovers) {
        this.leftovers = leftovers;
    }

    /**
     * Loads it.
     *
     * @param fallback the directory of the database
     */
    static SqliteLibrary load(Path fallback) {
        SqliteLibrary library = new SqliteLibrary(unpackedIn(fallback));
        Throwable failure = failure();
        if (failure != null && System.getProperty(DIRECTORY) == null) {
            System.setProperty(DIRECTORY, fallback.normalize().toString());
            failure = failure();
        }
        if (failure != null) {
            throw new StartProblem(
                    "The native library of SQLite cannot be loaded from %s: %s"
                            .formatted(System.getProperty(DIRECTORY), failure),
                    "Set -D%s=<directory> in JAVA_OPTS, to one that can be written and is not mounted noexec; or use MySQL (sluice.database.url)."
                            .formatted(DIRECTORY));
        }
        return library;
    }

    /** Tries to load it; null if that succeeds. */
    private static @Nullable Throwable failure() {
        try {
            return SQLiteJDBCLoader.initialize() ? null : new IOException("there is none for this platform");
        } catch (Exception | LinkageError e) {
            return e;
        }
    }

    private static List<Path> unpackedIn(Path directory) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, UNPACKED)) {
            files.forEach(found::add);
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("the directory of the database cannot be listed", e);
        }
        return found;
    }

    /**
     * Deletes what was beside the database before this one was unpacked. To be called when the database is locked: another server, to which it
     * could belong, does not run then.
     */
    void deleteLeftovers() {
        for (Path file : leftovers) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                LOG.info("a library that a crash has left cannot be deleted: file={} cause={}", file, e.toString());
            }
        }
    }
}
