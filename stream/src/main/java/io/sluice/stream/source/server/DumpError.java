package io.sluice.stream.source.server;

import io.sluice.mysql.wire.error.ServerErrorException;
import java.util.Locale;

/**
 * The reason why a server does not send its binlog. Servers use error 1236 for many reasons, so they are distinguished by the message texts
 * of all versions of MySQL and MariaDB.
 */
public enum DumpError {
    /** The server does not have what was requested: a file, an offset, transactions. */
    GONE,
    /** The position has transactions that the server does not have. */
    DIVERGED,
    /** Another replica has the same server id or UUID. */
    TWIN,
    /** The binlog cannot be requested by GTIDs: the server has them off, or a transaction without one. */
    NO_GTIDS,
    /** The server has a transaction without a GTID, and does not send such ones, however it is requested: {@code gtid_mode=ON}. */
    ANONYMOUS,
    /** An event is larger than the server may send. */
    TOO_LARGE,
    /** A file of the binlog is damaged, cut off or missing. */
    DAMAGED,
    /** Anything else, such as a file that is just written: a retry may help. */
    OTHER;

    private static final String MISSING_FILE = "could not find next log";
    private static final int PURGED_GTIDS = 1789;
    private static final int GTID_NOT_FOUND = 1945;

    /** Of MariaDB: nor is it to come, since the binlog has later ones of its domain. */
    private static final int GTID_NOT_FOUND_EITHER = 1955;

    /** Of MariaDB: another replica with the same server id has ended the dump, though the text says that it is connected already. */
    private static final int SAME_REPLICA_ID = 4052;

    /** The reason in an error that ended a dump. */
    public static DumpError of(ServerErrorException error) {
        if (error.errno() == SAME_REPLICA_ID) {
            return TWIN;
        }
        if (error.errno() == GTID_NOT_FOUND_EITHER) {
            return DIVERGED;
        }
        if (error.errno() == PURGED_GTIDS || error.errno() == GTID_NOT_FOUND) {
            return GONE;
        }
        return error.isBinlogUnreadable() ? of(error.serverMessage()) : OTHER;
    }

    /** Whether a file is missing that the server must send next: the list of its files was changed meanwhile, or a file was deleted. */
    public static boolean isMissingFile(ServerErrorException error) {
        return error.isBinlogUnreadable()
                && error.serverMessage().toLowerCase(Locale.ROOT).contains(MISSING_FILE);
    }

    public static DumpError of(String message) {
        String words = message.toLowerCase(Locale.ROOT);
        if (words.contains("same server_uuid/server_id") || words.contains("same server_id")) {
            return TWIN;
        }
        if (words.contains("anonymous transaction") && words.contains("gtid_mode = on")) {
            return ANONYMOUS;
        }
        if (words.contains("anonymous transaction") || words.contains("auto_position mode")) {
            return NO_GTIDS;
        }
        if (words.contains("max_allowed_packet")) {
            return TOO_LARGE;
        }
        if (words.contains("more gtids than") || words.contains("diverged")) {
            return DIVERGED;
        }
        if (words.contains("first log file name")
                || words.contains("purged")
                || words.contains("impossible position")
                || words.contains("> file size")
                || words.contains("not in the master's binlog")
                || words.contains("gtid state requested")) {
            return GONE;
        }
        if (words.contains("bogus data")
                || words.contains("truncated")
                || words.contains("crc")
                || words.contains("checksum")
                || words.contains("corrupt")
                || words.contains(MISSING_FILE)
                || words.contains("unknown error reading log event")) {
            return DAMAGED;
        }
        return OTHER;
    }
}
