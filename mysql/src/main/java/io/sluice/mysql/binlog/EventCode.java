package io.sluice.mysql.binlog;

/**
 * The type codes of event headers that are handled.
 *
 * <p>Numbers and not an enum: a stream may hold codes that no one here knows, and skips them when they are flagged so.
 * Source: MySQL's internals documentation, "Binlog Event Type", and MariaDB's for codes from 160 on.
 */
public final class EventCode {
    public static final int QUERY = 2;
    public static final int STOP = 3;
    public static final int ROTATE = 4;
    public static final int INTVAR = 5;
    public static final int APPEND_BLOCK = 9;
    public static final int DELETE_FILE = 11;
    public static final int RAND = 13;
    public static final int USER_VAR = 14;
    public static final int FORMAT_DESCRIPTION = 15;
    public static final int XID = 16;
    public static final int BEGIN_LOAD_QUERY = 17;
    public static final int EXECUTE_LOAD_QUERY = 18;
    public static final int TABLE_MAP = 19;
    public static final int WRITE_ROWS_V1 = 23;
    public static final int UPDATE_ROWS_V1 = 24;
    public static final int DELETE_ROWS_V1 = 25;
    public static final int INCIDENT = 26;
    public static final int HEARTBEAT = 27;
    public static final int IGNORABLE = 28;
    public static final int ROWS_QUERY = 29;
    public static final int WRITE_ROWS_V2 = 30;
    public static final int UPDATE_ROWS_V2 = 31;
    public static final int DELETE_ROWS_V2 = 32;
    public static final int GTID = 33;
    public static final int ANONYMOUS_GTID = 34;
    public static final int PREVIOUS_GTIDS = 35;
    public static final int TRANSACTION_CONTEXT = 36;
    public static final int VIEW_CHANGE = 37;
    public static final int XA_PREPARE = 38;
    public static final int PARTIAL_UPDATE_ROWS = 39;
    public static final int TRANSACTION_PAYLOAD = 40;
    public static final int HEARTBEAT_V2 = 41;
    public static final int GTID_TAGGED = 42;

    public static final int MARIADB_ANNOTATE_ROWS = 160;
    public static final int MARIADB_BINLOG_CHECKPOINT = 161;
    public static final int MARIADB_GTID = 162;
    public static final int MARIADB_GTID_LIST = 163;
    public static final int MARIADB_START_ENCRYPTION = 164;
    public static final int MARIADB_QUERY_COMPRESSED = 165;
    public static final int MARIADB_WRITE_ROWS_COMPRESSED_V1 = 166;
    public static final int MARIADB_UPDATE_ROWS_COMPRESSED_V1 = 167;
    public static final int MARIADB_DELETE_ROWS_COMPRESSED_V1 = 168;
    public static final int MARIADB_WRITE_ROWS_COMPRESSED = 169;
    public static final int MARIADB_UPDATE_ROWS_COMPRESSED = 170;
    public static final int MARIADB_DELETE_ROWS_COMPRESSED = 171;

    private EventCode() {}

    /** Whether the rows of a rows event are packed, as MariaDB's {@code log_bin_compress} does. */
    public static boolean isCompressedRows(int code) {
        return code >= MARIADB_WRITE_ROWS_COMPRESSED_V1 && code <= MARIADB_DELETE_ROWS_COMPRESSED;
    }

    /** Whether a rows event has a field of extra data after its flags: all but those of the first version. */
    public static boolean hasExtraRowInfo(int code) {
        return code >= WRITE_ROWS_V2 && code < MARIADB_WRITE_ROWS_COMPRESSED_V1
                || code >= MARIADB_WRITE_ROWS_COMPRESSED;
    }

    /** Whether an event has rows of a table, in whatever form. */
    public static boolean isRows(int code) {
        return code >= WRITE_ROWS_V1 && code <= DELETE_ROWS_V1
                || code >= WRITE_ROWS_V2 && code <= DELETE_ROWS_V2
                || code == PARTIAL_UPDATE_ROWS
                || isCompressedRows(code);
    }

    /** Whether an event belongs to the one after it: it announces it, or holds values for its statement. */
    public static boolean announces(int code) {
        return switch (code) {
            case GTID,
                    ANONYMOUS_GTID,
                    GTID_TAGGED,
                    MARIADB_GTID,
                    INTVAR,
                    RAND,
                    USER_VAR,
                    ROWS_QUERY,
                    MARIADB_ANNOTATE_ROWS,
                    BEGIN_LOAD_QUERY,
                    APPEND_BLOCK -> true;
            default -> false;
        };
    }

    /** Whether it is never of a transaction, and so states its own place if it is in a file. */
    public static boolean isOfServer(int code) {
        return switch (code) {
            case FORMAT_DESCRIPTION,
                    ROTATE,
                    STOP,
                    HEARTBEAT,
                    HEARTBEAT_V2,
                    MARIADB_GTID_LIST,
                    MARIADB_BINLOG_CHECKPOINT,
                    MARIADB_START_ENCRYPTION -> true;
            default -> false;
        };
    }

    /** Whether such an event may be within a transaction's payload. */
    public static boolean isOfPayload(int code) {
        return switch (code) {
            case GTID, ANONYMOUS_GTID, GTID_TAGGED, MARIADB_GTID, PREVIOUS_GTIDS, TRANSACTION_PAYLOAD -> false;
            default -> !isOfServer(code);
        };
    }
}
