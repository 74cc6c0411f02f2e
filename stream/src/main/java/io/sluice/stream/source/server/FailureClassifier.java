package io.sluice.stream.source.server;

import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.error.MalformedPacketException;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.pattern.ExpensivePatternException;
import io.sluice.schema.history.database.HistoryException;
import io.sluice.stream.failure.MidTransactionException;
import io.sluice.stream.failure.StreamException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;

/** Maps every exception between source and store to a kind of failure. */
public final class FailureClassifier {
    private FailureClassifier() {}

    /** Returns the failure of an exception; if it has none, that of its cause. */
    public static SourceFailure of(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            SourceFailure known = known(cause);
            if (known != null) {
                return known;
            }
        }
        return thrown instanceof IOException ? SourceFailure.UNREACHABLE : SourceFailure.INTERNAL;
    }

    /** Returns what an operator can do about an exception: what is known of it alone, or else of all failures of its kind. */
    public static String remedy(Throwable thrown) {
        SourceFailure failure = of(thrown);
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof SourceException e && e.failure() == failure) {
                return e.remedy();
            }
            if (cause instanceof ResultTooLargeException e) {
                return e.remedy();
            }
        }
        return failure.remedy();
    }

    /** Whether the heap of this process has no room, so that another host would fail, too. */
    public static boolean isOfProcess(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof ResultTooLargeException e) {
                return e.isOfProcess();
            }
        }
        return false;
    }

    /** Returns what is wrong, beside which {@link #remedy} is shown: the message of some exceptions has that, too. */
    public static String message(Throwable thrown) {
        return thrown instanceof ResultTooLargeException e ? e.excess() : String.valueOf(thrown.getMessage());
    }

    private static @Nullable SourceFailure known(Throwable cause) {
        if (cause instanceof SourceException e) {
            return e.failure();
        }
        if (cause instanceof StreamException e) {
            return e.failure();
        }
        if (cause instanceof ServerErrorException e) {
            return ofServer(e);
        }
        if (cause instanceof ResultTooLargeException) {
            return SourceFailure.UNREACHABLE; // retried: it is no damage of the binlog, and may be another server
        }
        if (cause instanceof MalformedPacketException
                || cause instanceof MalformedEventException
                || cause instanceof MidTransactionException) {
            return SourceFailure.CORRUPT;
        }
        if (cause instanceof ExpensivePatternException) {
            return SourceFailure.FILTER_TOO_EXPENSIVE;
        }
        if (cause instanceof HistoryException) {
            return SourceFailure.HISTORY_UNUSABLE;
        }
        return cause instanceof GeneralSecurityException ? SourceFailure.MISCONFIGURED : null; // usually a certificate
    }

    /**
     * Returns the failure of an error number of MySQL or MariaDB. Only those that are known to be of the account stop an instance: proxies answer a login with
     * numbers of their own, as MySQL Router does with 2003 while the server to which it leads is down.
     */
    private static SourceFailure ofServer(ServerErrorException error) {
        if (error.isTemporary()) {
            return SourceFailure.UNREACHABLE;
        }
        if (error.isDumpDenied()) {
            return SourceFailure.MISCONFIGURED;
        }
        return switch (error.errno()) {
            case 1045, // ER_ACCESS_DENIED_ERROR
                    1698, // ER_ACCESS_DENIED_NO_PASSWORD_ERROR
                    ServerErrorException.UNSUPPORTED_LOGIN,
                    ServerErrorException.PLUGIN_NOT_LOADED,
                    1130, // ER_HOST_NOT_PRIVILEGED
                    1820, // ER_MUST_CHANGE_PASSWORD
                    1862, // ER_MUST_CHANGE_PASSWORD_LOGIN
                    3118, // ER_ACCOUNT_HAS_BEEN_LOCKED
                    3159, // ER_SECURE_TRANSPORT_REQUIRED
                    3955, // ER_USER_ACCESS_DENIED_FOR_USER_ACCOUNT_BLOCKED_BY_PASSWORD_LOCK
                    4150, // ER_USER_IS_BLOCKED of MariaDB
                    4151 // ER_ACCOUNT_HAS_BEEN_LOCKED of MariaDB
            -> SourceFailure.AUTHENTICATION;
            case 1044, // ER_DBACCESS_DENIED_ERROR
                    1049, // ER_BAD_DB_ERROR
                    1142, // ER_TABLEACCESS_DENIED_ERROR
                    1143, // ER_COLUMNACCESS_DENIED_ERROR
                    1227, // ER_SPECIFIC_ACCESS_DENIED_ERROR
                    1370 // ER_PROCACCESS_DENIED_ERROR
            -> SourceFailure.MISCONFIGURED;
            case 1381 // ER_NO_BINARY_LOGGING
            -> SourceFailure.NO_BINLOG;
            default -> ofDump(error);
        };
    }

    private static SourceFailure ofDump(ServerErrorException error) {
        return switch (DumpError.of(error)) {
            case GONE -> SourceFailure.PURGED;
            case DIVERGED -> SourceFailure.DIVERGED;
            case TWIN -> SourceFailure.DUPLICATE_SERVER_ID;
            case TOO_LARGE -> SourceFailure.EVENT_TOO_LARGE;
            case DAMAGED -> SourceFailure.CORRUPT;
            case ANONYMOUS -> SourceFailure.MISCONFIGURED;
            case NO_GTIDS, OTHER -> SourceFailure.REJECTED;
        };
    }
}
