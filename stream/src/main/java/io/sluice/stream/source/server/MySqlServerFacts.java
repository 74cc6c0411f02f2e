package io.sluice.stream.source.server;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.query.QueryResult;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.protocol.position.BinlogPosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Queries a server for facts about itself and its binlog, over a borrowed connection. */
public final class MySqlServerFacts implements ServerFacts {
    private static final int UNKNOWN_VARIABLE = 1193;
    private static final int ENCRYPTION_HEADER_BYTES = 512;

    private final MySqlConnection connection;

    /** Takes a connection that has no binlog stream; it is not closed here. */
    public MySqlServerFacts(MySqlConnection connection) {
        this.connection = connection;
    }

    @Override
    public ServerAddress address() {
        return connection.address();
    }

    @Override
    public boolean mariaDb() {
        return connection.serverVersion().mariaDb();
    }

    @Override
    public String identity() throws IOException {
        String uuid = variable("server_uuid");
        if (uuid != null) {
            return uuid;
        }
        return GaleraNode.identity("server %d at %s".formatted(serverId(), address()), this::variable);
    }

    @Override
    public long serverId() throws IOException {
        String id = variable("server_id");
        return id == null ? 0 : Long.parseLong(id);
    }

    @Override
    public boolean writesBinlog() throws IOException {
        return !isOff(variable("log_bin"));
    }

    @Override
    public boolean hasGtids() throws IOException {
        return mariaDb() || "ON".equalsIgnoreCase(variable("gtid_mode"));
    }

    @Override
    public @Nullable String gtidMode() throws IOException {
        return variable("gtid_mode");
    }

    @Override
    public boolean writesChecksums() throws IOException {
        return "CRC32".equalsIgnoreCase(variable("binlog_checksum"));
    }

    @Override
    public GtidSet executed() throws IOException {
        String executed = text(variable(mariaDb() ? "gtid_binlog_pos" : "gtid_executed"));
        return mariaDb() ? MariaDbGtidSet.parse(executed) : MySqlGtidSet.parse(executed);
    }

    @Override
    public List<MariaDbGtid> newestOfServers() throws IOException {
        String state = text(mariaDb() ? variable("gtid_binlog_state") : null);
        return Arrays.stream(state.split(","))
                .filter(gtid -> !gtid.isEmpty())
                .map(MariaDbGtid::parse)
                .toList();
    }

    @Override
    public MariaDbGtidSet replicated() throws IOException {
        return MariaDbGtidSet.parse(text(mariaDb() ? variable("gtid_slave_pos") : null));
    }

    /** Of those that other servers have committed first, an applier owns the GTIDs before their events are in the binlog. */
    @Override
    public MySqlGtidSet committing() throws IOException {
        String owned = mariaDb() ? null : variable("gtid_owned");
        String own = owned == null || owned.isEmpty() ? null : variable("server_uuid");
        if (owned == null || own == null) {
            return MySqlGtidSet.EMPTY;
        }
        return committing(owned, own);
    }

    /**
     * Returns the GTIDs of one server in a value of {@code gtid_owned}, such as {@code 3e11fa47-…:23#9:24#12,…}, where the id of the
     * session follows each number.
     */
    static MySqlGtidSet committing(String owned, String uuid) {
        return MySqlGtidSet.parse(Arrays.stream(text(owned).split(","))
                .filter(part -> part.regionMatches(true, 0, uuid, 0, uuid.length()))
                .map(part -> part.replaceAll("#\\d+", ""))
                .collect(Collectors.joining(",")));
    }

    @Override
    public MySqlGtidSet purged() throws IOException {
        return mariaDb() ? MySqlGtidSet.EMPTY : MySqlGtidSet.parse(text(variable("gtid_purged")));
    }

    /** Whether it is a member is asked first, since that needs no privilege in a cluster. */
    @Override
    public Replication replication() throws IOException {
        if (GaleraNode.is(this::variable)) {
            return Replication.MEMBER;
        }
        Replication channels = RenamedStatements.replication(connection);
        return channels == Replication.NONE && isOfGroup() ? Replication.MEMBER : channels;
    }

    @Override
    public boolean isReadOnly() throws IOException {
        String readOnly = variable("read_only");
        return readOnly != null && !isOff(readOnly);
    }

    /** Newer servers of MySQL have another name for the variable. */
    @Override
    public boolean logsReplicated() throws IOException {
        String logged = variable("log_slave_updates");
        return !isOff(logged == null && !mariaDb() ? variable("log_replica_updates") : logged);
    }

    /** Whether it is a member of a group (Group Replication), whose members have no channels that are shown as those of replicas. */
    private boolean isOfGroup() throws IOException {
        String group = variable("group_replication_group_name");
        if (group == null || group.isEmpty()) {
            return false;
        }
        try {
            return !connection
                    .query("SELECT 1 FROM performance_schema.replication_group_members"
                            + " WHERE member_id = @@global.server_uuid AND member_state <> 'OFFLINE'")
                    .rows()
                    .isEmpty();
        } catch (ServerErrorException e) {
            return true; // without SELECT on that table the name is all that is known
        }
    }

    /** Whether a variable is off; not if the server has none of that name. */
    private static boolean isOff(@Nullable String value) {
        return "0".equals(value) || "OFF".equalsIgnoreCase(value);
    }

    private static String text(@Nullable String gtidSet) {
        return gtidSet == null ? "" : gtidSet.replaceAll("\\s", "");
    }

    @Override
    public End end() throws IOException {
        GtidSet executed = hasGtids() ? executed() : null;
        QueryResult.Row row = RenamedStatements.binlogStatus(connection).firstRow();
        String file = row == null ? null : row.text(0);
        String offset = row == null ? null : row.text(1);
        if (file == null || offset == null) {
            throw new SourceException(SourceFailure.NO_BINLOG, "%s writes no binlog".formatted(address()));
        }
        return new End(new BinlogPosition(file, Long.parseLong(offset)), executed);
    }

    @Override
    public List<File> files() throws IOException {
        List<File> files = new ArrayList<>();
        for (QueryResult.Row row :
                connection.query("SHOW BINARY LOGS", ResultLimit.LARGE).rows()) {
            String name = row.text(0);
            String bytes = row.text(1);
            if (name != null && bytes != null) {
                files.add(new File(name, lengthOf(Long.parseLong(bytes), row)));
            }
        }
        if (files.isEmpty()) {
            throw new SourceException(SourceFailure.NO_BINLOG, "%s has no binlog".formatted(address()));
        }
        return files;
    }

    /** The length of a file as offsets count it. In the length that MySQL lists of one that it encrypts is a header, which a dump does not have. */
    private static long lengthOf(long listed, QueryResult.Row row) {
        boolean isEncrypted = row.size() > 2 && "Yes".equalsIgnoreCase(row.text(2));
        return isEncrypted ? Math.max(0, listed - ENCRYPTION_HEADER_BYTES) : listed;
    }

    /** In UTC, since a local time is there twice in the hour that is repeated when summer time ends. */
    @Override
    public long clockMillis() throws IOException {
        QueryResult.Row row = connection
                .query("SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000")
                .firstRow();
        String millis = row == null ? null : row.text(0);
        return millis == null ? 0 : Long.parseLong(millis);
    }

    private static ResultLimit limitOf(String variable) {
        return variable.startsWith("gtid_") ? ResultLimit.GTIDS : ResultLimit.SMALL;
    }

    /** A global variable; null if the server has none of that name. */
    @Nullable String variable(String name) throws IOException {
        try {
            QueryResult.Row row =
                    connection.query("SELECT @@global." + name, limitOf(name)).firstRow();
            return row == null ? null : row.text(0);
        } catch (ServerErrorException e) {
            if (e.errno() == UNKNOWN_VARIABLE) {
                return null;
            }
            throw e;
        }
    }
}
