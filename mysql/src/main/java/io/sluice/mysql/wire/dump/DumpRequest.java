package io.sluice.mysql.wire.dump;

import io.sluice.mysql.gtid.GtidSet;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The start position and the replica's identity for a binlog dump.
 *
 * @param file the binlog's name at the server, such as {@code binlog.000007}; empty for the oldest that it has
 * @param position the offset in bytes of the first event to read, at least 4: the start of an event. The server is requested to send the file
 *     from its beginning if the command cannot state the offset, and what is before it is {@linkplain EventsBefore passed over}
 * @param replicaServerId the server id of this replica, 1 to 2^32-1, which no other replica of the server may have
 * @param replicaUuid identifies this replica over reconnects: the server ends an older dump of the same UUID
 * @param heartbeatPeriod the server sends a heartbeat event when nothing else came for so long; zero for none
 * @param writeTimeout how long the server may wait until this replica reads on ({@code net_write_timeout}): the longest back-pressure
 *     that the connection survives. In whole seconds, at least 1
 * @param waitsForMore whether the stream waits at the end of the last binlog; if not, it ends there
 * @param executed the transactions that are not sent, in the flavour of the server; file and position are not used then. Null
 *     to start at file and position
 */
public record DumpRequest(
        String file,
        long position,
        long replicaServerId,
        UUID replicaUuid,
        Duration heartbeatPeriod,
        Duration writeTimeout,
        boolean waitsForMore,
        @Nullable GtidSet executed) {
    /** Where the first event of every binlog starts, after the magic number. */
    public static final long FIRST_POSITION = 4;

    private static final long LARGEST_INT4 = 0xFFFF_FFFFL;

    /** The last offset in a file that the command can state. */
    public static final long LARGEST_POSITION = LARGEST_INT4;

    private static final Duration DEFAULT_HEARTBEAT_PERIOD = Duration.ofSeconds(15);
    private static final Duration DEFAULT_WRITE_TIMEOUT = Duration.ofHours(2);

    /** MySQL rejects longer ones. */
    private static final Duration MAX_HEARTBEAT_PERIOD = Duration.ofSeconds(4_294_967);

    /** MySQL takes at most a year, and shortens longer ones. */
    private static final Duration MAX_WRITE_TIMEOUT = Duration.ofDays(365);

    /** @throws IllegalArgumentException if a number is out of its range */
    public DumpRequest {
        if (position < FIRST_POSITION) {
            throw new IllegalArgumentException(
                    "position %d of binlog %s is before its first event, at 4".formatted(position, file));
        }
        if (replicaServerId < 1 || replicaServerId > LARGEST_INT4) {
            throw new IllegalArgumentException("replica's server id is outside 1..4294967295: " + replicaServerId);
        }
        if (heartbeatPeriod.isNegative() || heartbeatPeriod.compareTo(MAX_HEARTBEAT_PERIOD) > 0) {
            throw new IllegalArgumentException("heartbeat period is outside 0..4294967 s: " + heartbeatPeriod);
        }
        if (writeTimeout.toSeconds() < 1 || writeTimeout.compareTo(MAX_WRITE_TIMEOUT) > 0) {
            throw new IllegalArgumentException("write timeout is outside 1 s..365 days: " + writeTimeout);
        }
    }

    /** A stream that waits for more, with a heartbeat every 15 s, two hours of back-pressure and a UUID of its own. */
    public static DumpRequest from(String file, long position, long replicaServerId) {
        return new DumpRequest(
                file,
                position,
                replicaServerId,
                UUID.randomUUID(),
                DEFAULT_HEARTBEAT_PERIOD,
                DEFAULT_WRITE_TIMEOUT,
                true,
                null);
    }

    /** As {@link #from}, but starting with the first transaction that is not executed. */
    public static DumpRequest after(GtidSet executed, long replicaServerId) {
        DumpRequest fromTheOldest = from("", FIRST_POSITION, replicaServerId);
        return new DumpRequest(
                "",
                FIRST_POSITION,
                replicaServerId,
                fromTheOldest.replicaUuid,
                DEFAULT_HEARTBEAT_PERIOD,
                DEFAULT_WRITE_TIMEOUT,
                true,
                executed);
    }

    /** Whether the server sends the file from its beginning, since the command cannot state the position. */
    public boolean isBeyondCommand() {
        return executed == null && position > LARGEST_POSITION;
    }

    /** For messages: where the stream starts, such as {@code binlog.000007:4}. */
    public String start() {
        if (executed != null) {
            return "after the executed transactions";
        }
        return file.isEmpty() ? "the oldest file" : file + ":" + position;
    }

    /** Returns a copy with the given UUID of the replica. */
    public DumpRequest withReplicaUuid(UUID uuid) {
        return new DumpRequest(
                file, position, replicaServerId, uuid, heartbeatPeriod, writeTimeout, waitsForMore, executed);
    }

    /** Returns a copy with the given heartbeat period; zero for no heartbeats. */
    public DumpRequest withHeartbeatPeriod(Duration period) {
        return new DumpRequest(
                file, position, replicaServerId, replicaUuid, period, writeTimeout, waitsForMore, executed);
    }

    /** Returns a copy by which the server ends the stream at the end of its last file, and does not wait for more. */
    public DumpRequest upToTheEnd() {
        return new DumpRequest(
                file, position, replicaServerId, replicaUuid, heartbeatPeriod, writeTimeout, false, executed);
    }
}
