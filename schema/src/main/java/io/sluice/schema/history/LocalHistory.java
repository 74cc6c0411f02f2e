package io.sluice.schema.history;

import io.sluice.schema.history.database.H2File;
import io.sluice.schema.history.database.H2Import;
import io.sluice.schema.history.database.HistoryDatabase;
import io.sluice.schema.history.database.HistoryException;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.database.SqliteDatabase;
import io.sluice.schema.history.database.TableCreation;
import io.sluice.schema.history.rows.HistoryIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the local file of a history, and imports the H2 file of canal.
 *
 * <p>The rows, the tables and the fingerprint of the H2 file are written in one transaction, then the H2 file is renamed. A crash before
 * the commit leaves a new file without tables, so the import begins again; a crash before the rename is recognized by the fingerprint.
 */
final class LocalHistory {
    private static final Logger LOG = LoggerFactory.getLogger(LocalHistory.class);

    private final HistoryLocation.LocalFile location;
    private final String destination;
    private final SqliteDatabase database;

    private LocalHistory(HistoryLocation.LocalFile location, String destination, SqliteDatabase database) {
        this.location = location;
        this.destination = destination;
        this.database = database;
    }

    /**
     * Opens it.
     *
     * @throws HistoryException if it cannot be used
     * @throws IOException if the thread was interrupted while an H2 file was taken over
     */
    static HistoryDatabase open(HistoryLocation.LocalFile location, HistoryConfig config) throws IOException {
        SqliteDatabase database = SqliteDatabase.open(location.file()); // first, since it has a lock
        try {
            H2File h2 = new H2File(location.h2());
            if (h2.exists()) {
                new LocalHistory(location, config.destination(), database).takeOver(h2, config);
            }
            return database;
        } catch (IOException | RuntimeException e) {
            database.close();
            throw e;
        }
    }

    private void takeOver(H2File h2, HistoryConfig config) throws IOException {
        if (read(h2, h2::isOfVersion1)) {
            Path aside = read(h2, h2::putAside);
            LOG.warn(
                    "the schema history is in a format of H2 1.x, as canal before 1.1.7 writes it, and cannot be read; it is kept aside, and a new history begins with the table schemas that the source has now: file={} kept_as={}",
                    h2.path(),
                    aside);
            return;
        }
        String fingerprint = read(h2, h2::fingerprint);
        if (!hasTables()) {
            H2Import rows = new H2Import(h2, location.h2Settings(), config.user(), config.password());
            database.atomically(() -> {
                TableCreation.create(database);
                H2Import.Copied copied = rows.copyInto(database);
                new HistoryIdentity(database, destination).establish();
                database.update(
                        "update meta_identity set imported = ?, " + TableCreation.CLOSED_COLUMN
                                + " = ? where destination = ?",
                        fingerprint,
                        copied.closedMillis(),
                        destination);
                LOG.info(
                        "took over the schema history of canal: from={} rows={} closed={}",
                        h2.path(),
                        copied.rows(),
                        copied.closedMillis() == 0 ? "no" : Instant.ofEpochMilli(copied.closedMillis()));
            });
        } else if (!fingerprint.equals(imported())) {
            throw new HistoryException(
                    ("there are two schema histories, %s and that of canal, %s, which was not taken over into the first:"
                                    + " move away the older one; if only the latter is left, it is taken over at the next start")
                            .formatted(location.file(), h2.path()));
        }
        Path renamed = read(h2, h2::markImported);
        LOG.info("the schema history of canal is not used any more: file={} kept_as={}", h2.path(), renamed);
    }

    private boolean hasTables() throws IOException {
        return !database.query("select name from sqlite_master where type = 'table' and name = 'meta_identity'")
                .isEmpty();
    }

    private @Nullable String imported() throws IOException {
        List<@Nullable String[]> rows =
                database.query("select imported from meta_identity where imported is not null limit 1");
        return rows.isEmpty() ? null : rows.get(0)[0];
    }

    /** What is done with the H2 file. */
    private interface Step<T> {
        T run() throws IOException;
    }

    /** A failure is one of this machine's disk, which a retry does not repair. */
    private static <T> T read(H2File h2, Step<T> step) {
        try {
            return step.run();
        } catch (IOException e) {
            throw new HistoryException(
                    "the schema history of canal, %s, cannot be read and renamed: %s; give this process write permission on it and on its directory"
                            .formatted(h2.path(), e),
                    e);
        }
    }
}
