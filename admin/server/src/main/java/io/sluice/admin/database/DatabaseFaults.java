package io.sluice.admin.database;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Set;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.sqlite.SQLiteException;

/** Distinguishes failures of the database itself (no connection, no disk, no time) from those of a statement. */
public final class DatabaseFaults {
    /** SQLITE_BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN and PROTOCOL. */
    private static final Set<Integer> SQLITE_FAULTS = Set.of(5, 6, 8, 10, 11, 13, 14, 15);

    private DatabaseFaults() {}

    /** Whether something has failed because the database cannot be used at the moment; what was to be changed was not. */
    public static boolean isUnavailable(Throwable failure) {
        Throwable last = null;
        for (Throwable one = failure; one != null && one != last; last = one, one = one.getCause()) {
            if (one instanceof CannotCreateTransactionException
                    || one instanceof DataAccessResourceFailureException
                    || one instanceof NonTransientDataAccessResourceException
                    || one instanceof TransientDataAccessException
                    || one instanceof SQLException sql && isFault(sql)
                    || one instanceof TransactionSystemException rollback && isOfFault(rollback)) {
                return true;
            }
        }
        return false;
    }

    /** SQLite ends a transaction by itself when the disk is full, so that the rollback that follows fails, too. */
    private static boolean isOfFault(TransactionSystemException rollback) {
        Throwable cause = rollback.getApplicationException();
        return cause != null && isUnavailable(cause);
    }

    private static boolean isFault(SQLException e) {
        return e instanceof SQLNonTransientConnectionException
                || e instanceof SQLTransientException
                || e instanceof SQLRecoverableException
                || e instanceof SQLiteException && SQLITE_FAULTS.contains(e.getErrorCode() & 0xff);
    }
}
