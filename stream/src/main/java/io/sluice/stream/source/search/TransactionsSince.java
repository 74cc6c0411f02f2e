package io.sluice.stream.source.search;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.SourceConnection;
import java.io.IOException;

/** Finds the part of a binlog that was written since a time. */
public final class TransactionsSince {
    private TransactionsSince() {}

    /**
     * Returns where the first transaction begins that was written at or after a time: the oldest one if the binlog does not reach back to it, the end of the binlog if
     * all are older.
     *
     * @param seconds by the clock of the source, since the epoch
     * @throws IOException if the source cannot be read
     */
    public static BinlogPosition first(SourceConnection connection, long seconds) throws IOException {
        return new TimeSearch(connection.scan(), connection.facts().files(), seconds)
                .find()
                .point();
    }
}
