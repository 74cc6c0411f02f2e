package io.sluice.parse.wire;

/**
 * What a replica says before a server streams its binlog. Pages <em>COM_REGISTER_SLAVE</em> and <em>COM_BINLOG_DUMP</em>
 * of MySQL's source code documentation.
 *
 * <p>Servers from 8.0.26 on read user variables named {@code source_...} and {@code replica_...} and fall back to the old
 * names; older ones and MariaDB know the old names only. So both are set. A dump by GTID set ({@code
 * COM_BINLOG_DUMP_GTID}) differs in the last command only.
 */
final class DumpCommands {
    /**
     * Says that we know checksums, of whatever kind the server has: else it refuses to send events with them. A server
     * before 5.6.2 has no such variable, and no checksums either.
     */
    static final String ACCEPT_CHECKSUMS =
            "set @master_binlog_checksum = @@global.binlog_checksum, @source_binlog_checksum = @@global.binlog_checksum";

    private static final int COM_BINLOG_DUMP = 0x12;
    private static final int COM_REGISTER_SLAVE = 0x15;
    private static final int END_INSTEAD_OF_WAITING = 1;

    private DumpCommands() {}

    /** The statement that sets up the session. */
    static String sessionStatement(DumpRequest request, boolean mariaDb) {
        StringBuilder sql = new StringBuilder("set net_write_timeout = ")
                .append(request.writeTimeout().toSeconds());
        setBoth(sql, "slave_uuid", "replica_uuid", "'" + request.replicaUuid() + "'");
        if (!request.heartbeatPeriod().isZero()) {
            String nanos = Long.toString(request.heartbeatPeriod().toNanos());
            setBoth(sql, "master_heartbeat_period", "source_heartbeat_period", nanos);
        }
        if (mariaDb) {
            // 4: we understand MariaDB's own GTID events. With less it sends stand-ins for them.
            sql.append(", @mariadb_slave_capability = 4");
        }
        return sql.toString();
    }

    private static void setBoth(StringBuilder sql, String oldName, String newName, String value) {
        sql.append(", @").append(oldName).append(" = ").append(value);
        sql.append(", @").append(newName).append(" = ").append(value);
    }

    /**
     * Makes us one of the replicas that {@code show replicas} lists.
     *
     * <pre>
     *   +------+-----------+---------+----------+----------+--------+----------+--------------+
     *   | 0x15 | server id | host    | user     | password | port   | rank     | source's id  |
     *   |      | u32 LE    | u8+text | u8+text  | u8+text  | u16 LE | u32 LE 0 | u32 LE 0     |
     *   +------+-----------+---------+----------+----------+--------+----------+--------------+
     * </pre>
     *
     * @param host our end of the connection, to be found again by an operator
     */
    static byte[] registerReplica(DumpRequest request, String host, int port) {
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
     * Asks for the stream.
     *
     * <pre>
     *   +------+----------+--------+-----------+-------------------+
     *   | 0x12 | position | flags  | server id | file name, to end |
     *   |      | u32 LE   | u16 LE | u32 LE    |                   |
     *   +------+----------+--------+-----------+-------------------+
     * </pre>
     */
    static byte[] dump(DumpRequest request) {
        return new PayloadBuilder()
                .int1(COM_BINLOG_DUMP)
                .int4(request.position())
                .int2(request.waitsForMore() ? 0 : END_INSTEAD_OF_WAITING)
                .int4(request.replicaServerId())
                .text(request.file())
                .build();
    }
}
