package io.sluice.schema.history.rows;

import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The order of the transactions in the binlog of a server, where their numbers do not tell it: on MariaDB, servers that write one domain may number on
 * their own.
 */
@FunctionalInterface
public interface TransactionOrder {
    /** It cannot be determined. */
    TransactionOrder UNKNOWN = (set, gtid) -> null;

    /**
     * Whether a transaction is the newest one of its domain in a set, or is before that one in the binlog.
     *
     * @return null if that cannot be determined, as where the binlog does not have them
     * @throws IOException if the server cannot be reached
     */
    @Nullable Boolean isWithin(MariaDbGtidSet set, MariaDbGtid gtid) throws IOException;
}
