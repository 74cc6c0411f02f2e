package io.sluice.mysql.wire.dump;

import io.sluice.mysql.gtid.GtidSetBytes;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.wire.packet.PayloadBuilder;

/**
 * The commands with which a replica requests the binlog of a server. Pages <em>COM_REGISTER_SLAVE</em> and <em>COM_BINLOG_DUMP</em>
 * of MySQL's source code documentation.
 *
 * <p>Servers from 8.0.26 on read user variables named {@code source_...} and {@code replica_...} and fall back to the old
 * names; older ones and MariaDB know the old names only. So both are set.
 *
 * <p>For any thread.
 */
public final class DumpCommands {
    /**
     * States that this replica can verify checksums of any kind: without it the server does not send events with them. A server
     * before 5.6.2 has no such variable, and no checksums either.
     */
    public static final String ACCEPT_CHECKSUMS =
            "set @master_binlog_checksum = @@global.binlog_checksum, @source_binlog_checksum = @@global.binlog_checksum";

    private static final int COM_BINLOG_DUMP = 0x12;
    private static final int COM_REGISTER_SLAVE = 0x15;
    private static final int COM_BINLOG_DUMP_GTID = 0x1E;

    private static final int END_INSTEAD_OF_WAITING = 1;
    /**
     * To MariaDB: send the texts of the statements that changed rows. To MySQL from 8.0.26 on: send heartbeats whose
     * position may be beyond 4 GiB. Others take no notice.
     */
    private static final int ANNOTATIONS_OR_HEARTBEATS_2 = 2;

    private static final int BY_GTID = 4;

    private DumpCommands() {}

    /**
     * The statement that sets up the session.
     *
     * @param mariaDb whether the server is a MariaDB
     */
    public static String sessionStatement(DumpRequest request, boolean mariaDb) {
        StringBuilder sql = new StringBuilder("set net_write_timeout = ")
                .append(request.writeTimeout().toSeconds());
        setBoth(sql, "slave_uuid", "replica_uuid", "'" + request.replicaUuid() + "'");
        if (!request.heartbeatPeriod().isZero()) {
            String nanos = Long.toString(request.heartbeatPeriod().toNanos());
            setBoth(sql, "master_heartbeat_period", "source_heartbeat_period", nanos);
        }
        if (mariaDb) {
            // 4: MariaDB's own GTID events are understood. With less it sends substitutes for them.
            sql.append(", @mariadb_slave_capability = 4");
        }
        if (request.executed() instanceof MariaDbGtidSet position) {
            sql.append(", @slave_connect_state = '").append(position).append('\'');
            sql.append(", @slave_gtid_strict_mode = 0, @slave_gtid_ignore_duplicates = 0");
        }
        return sql.toString();
    }

    private static void setBoth(StringBuilder sql, String oldName, String newName, String value) {
        sql.append(", @").append(oldName).append(" = ").append(value);
        sql.append(", @").append(newName).append(" = ").append(value);
    }

    /**
     * Registers this replica as one of those that {@code show replicas} lists.
     *
     * <pre>
     *   +------+-----------+---------+----------+----------+--------+----------+--------------+
     *   | 0x15 | server id | host    | user     | password | port   | rank     | source's id  |
     *   |      | u32 LE    | u8+text | u8+text  | u8+text  | u16 LE | u32 LE 0 | u32 LE 0     |
     *   +------+-----------+---------+----------+----------+--------+----------+--------------+
     * </pre>
     *
     * @param host this end of the connection, to be found again by an operator; at most 255 bytes in UTF-8
     * @param port the port of that end
     * @return the payload of the command
     */
    public static byte[] registerReplica(DumpRequest request, String host, int port) {
        return new PayloadBuilder()
                .int1(COM_REGISTER_SLAVE)
                .int4(request.replicaServerId())
                .shortText(host)
                .shortText("")
                .shortText("")
                .int2(port)
                .int4(0)
                .int4(0)
                .build();
    }

    /**
     * Asks for the stream: by a GTID set if that is what is known, else from a position, which MariaDB finds itself if it was
     * told a GTID position. A position that does not fit is {@linkplain DumpRequest#isBeyondCommand not stated}.
     *
     * <pre>
     *   +------+--------+-----------+---------+----------+-----------+------------+
     *   | 0x1e | flags  | server id | no file | position | length of | GTID set   |
     *   |      | u16 LE | u32 LE    | u32: 0  | u64 LE 4 | it u32 LE |            |
     *   +------+--------+-----------+---------+----------+-----------+------------+
     *
     *   +------+----------+--------+-----------+-------------------+
     *   | 0x12 | position | flags  | server id | file name, to end |
     *   |      | u32 LE   | u16 LE | u32 LE    |                   |
     *   +------+----------+--------+-----------+-------------------+
     * </pre>
     *
     * @return the payload of the command
     */
    public static byte[] dump(DumpRequest request) {
        int flags = ANNOTATIONS_OR_HEARTBEATS_2 | (request.waitsForMore() ? 0 : END_INSTEAD_OF_WAITING);
        if (request.executed() instanceof MySqlGtidSet executed) {
            byte[] set = GtidSetBytes.encode(executed);
            return new PayloadBuilder()
                    .int1(COM_BINLOG_DUMP_GTID)
                    .int2(flags | BY_GTID)
                    .int4(request.replicaServerId())
                    .int4(0)
                    .int4(DumpRequest.FIRST_POSITION)
                    .int4(0)
                    .int4(set.length)
                    .raw(set)
                    .build();
        }
        return new PayloadBuilder()
                .int1(COM_BINLOG_DUMP)
                .int4(request.isBeyondCommand() ? DumpRequest.FIRST_POSITION : request.position())
                .int2(flags)
                .int4(request.replicaServerId())
                .text(request.file())
                .build();
    }
}
