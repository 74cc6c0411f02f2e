package io.sluice.stream.source;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.server.ServerFacts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

/** Makes the dump requests of an instance, which is the same replica in all of them. */
final class DumpRequests {
    /** Must not change: servers of two versions may read the same source. */
    private static final String REPLICA_NAMESPACE = "io.sluice.replica:";

    private final long replicaServerId;
    private final UUID replicaUuid;
    private final Duration heartbeatPeriod;

    DumpRequests(SourceOptions source) {
        this.replicaServerId = source.replicaServerId();
        this.replicaUuid = replicaUuid(source.replicaServerId());
        this.heartbeatPeriod = source.heartbeatPeriod();
    }

    /** The request for a start position. */
    DumpRequest of(DumpStart start, ServerFacts facts) {
        BinlogPosition position = start.position();
        DumpRequest request;
        if (!start.byGtids() && position != null) {
            request = DumpRequest.from(position.file(), position.offset(), replicaServerId);
        } else {
            GtidSet executed = start.executed();
            GtidSet empty = facts.mariaDb() ? MariaDbGtidSet.EMPTY : MySqlGtidSet.EMPTY;
            request = DumpRequest.after(executed == null || executed.isEmpty() ? empty : executed, replicaServerId);
        }
        return request.withReplicaUuid(replicaUuid).withHeartbeatPeriod(heartbeatPeriod);
    }

    /**
     * Returns the UUID of the replica with a server id. MySQL ends a dump when another replica with the same UUID begins one, and does not compare
     * server ids then; MariaDB compares server ids. So a UUID that follows from the id alone makes both end the earlier of two dumps with the
     * same id: the dump that a crashed server has left behind, and that of another instance by mistake.
     */
    private static UUID replicaUuid(long serverId) {
        return UUID.nameUUIDFromBytes((REPLICA_NAMESPACE + serverId).getBytes(StandardCharsets.UTF_8));
    }
}
