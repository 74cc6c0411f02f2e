package io.sluice.stream.source.server;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.ServerAddress;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * How a server stores its binlog. MariaDB can keep it in pages of InnoDB since 12.3; it then has neither the offsets nor the borders of files that positions
 * consist of.
 */
public final class BinlogStorage {
    /** The variable that states the engine: empty for files. */
    public static final String VARIABLE = "binlog_storage_engine";

    public static final String REMEDY =
            "start the server without binlog_storage_engine, or read a replica of it whose binlog is in files";

    private BinlogStorage() {}

    /**
     * Checks that a server has its binlog in files.
     *
     * @throws SourceException if it has not
     * @throws IOException if the server cannot be asked
     */
    public static void requireFiles(MySqlConnection connection) throws IOException {
        if (connection.serverVersion().mariaDb() && connection.serverVersion().atLeast(12, 3, 0)) {
            requireFiles(new MySqlServerFacts(connection).variable(VARIABLE), connection.address());
        }
    }

    static void requireFiles(@Nullable String engine, ServerAddress server) throws SourceException {
        if (engine != null && !engine.isEmpty()) {
            throw new SourceException(
                    SourceFailure.MISCONFIGURED,
                    "%s has its binlog in %s (binlog_storage_engine), which is not supported".formatted(server, engine),
                    REMEDY);
        }
    }
}
