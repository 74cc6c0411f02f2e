package io.sluice.stream.source.schema;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.protocol.position.SourceServer;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The binlog of a server in which DDL is looked for, also while a stream is read from there.
 *
 * @param identity of the server, as in {@link ServerFacts#identity}
 * @param none no transaction, in the flavour of the server; null if it has no GTIDs
 * @param hasChecksums whether events have checksums before the format description states it
 * @param scan reads it, over connections of its own
 */
record SearchedBinlog(
        SourceServer server, String identity, @Nullable GtidSet none, boolean hasChecksums, BinlogScan scan) {
    /**
     * The binlog of the server at the other end of a connection which does not stream yet.
     *
     * @throws IOException if it cannot be asked
     */
    static SearchedBinlog of(SourceConnection connection) throws IOException {
        ServerFacts facts = connection.facts();
        GtidSet none = facts.mariaDb() ? MariaDbGtidSet.EMPTY : MySqlGtidSet.EMPTY;
        return new SearchedBinlog(
                SourceServer.at(facts.address().host(), facts.address().port()),
                facts.identity(),
                facts.hasGtids() ? none : null,
                facts.writesChecksums(),
                connection.scan());
    }
}
