package io.sluice.stream.source.server;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.error.ServerErrorException;

/** Explains errors by which a server has ended a dump: states what they come from, or what can be done. */
public final class DumpFailure {
    private static final String ANONYMOUS_REMEDY =
            "set gtid_mode=ON_PERMISSIVE on the source until its transactions without a GTID are read, or begin after them";

    private static final String NO_GTIDS_REMEDY =
            "reading continues by file and offset; to read by GTIDs again, set gtid_mode=ON on the source and restart the instance";

    private DumpFailure() {}

    /**
     * Returns an error with what it comes from; an error of which no more is known as it is.
     *
     * @param replicaServerId the server id by which the dump was requested
     */
    public static Throwable explained(ServerErrorException error, long replicaServerId) {
        SourceFailure failure = FailureClassifier.of(error);
        String message = String.valueOf(error.getMessage());
        if (DumpError.isMissingFile(error)) {
            return new SourceException(
                    failure,
                    message
                            + "; that is so after RESET MASTER, and if a file of the binlog was deleted by hand: compare SHOW BINARY LOGS with the directory",
                    error);
        }
        return switch (DumpError.of(error)) {
            case ANONYMOUS -> new SourceException(failure, message, ANONYMOUS_REMEDY, error);
            case NO_GTIDS -> new SourceException(failure, message, NO_GTIDS_REMEDY, error);
            case TWIN ->
                new SourceException(
                        failure,
                        message + "; another replica has the same server id " + replicaServerId
                                + ", SHOW PROCESSLIST on the source shows where its dump comes from",
                        error);
            case GONE, DIVERGED, TOO_LARGE, DAMAGED, OTHER -> error;
        };
    }
}
