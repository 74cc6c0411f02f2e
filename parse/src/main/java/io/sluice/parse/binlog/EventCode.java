package io.sluice.parse.binlog;

/**
 * The type codes in event headers that mean something to us.
 *
 * <p>Numbers and not an enum: a stream may hold codes that no one here knows, and skips them when they are flagged so.
 * Source: MySQL's internals documentation, "Binlog Event Type", and MariaDB's for codes from 160 on.
 */
public final class EventCode {
    public static final int QUERY = 2;
    public static final int STOP = 3;
    public static final int ROTATE = 4;
    public static final int INTVAR = 5;
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

    private EventCode() {}

    /** Whether such an event belongs to the transaction behind it. */
    public static boolean isGtid(int code) {
        return code == GTID || code == ANONYMOUS_GTID || code == GTID_TAGGED;
    }

    /** Whether such an event may stand within a transaction, and so within a transaction's payload. */
    public static boolean isOfTransaction(int code) {
        return switch (code) {
            case ROTATE, STOP, FORMAT_DESCRIPTION, PREVIOUS_GTIDS, TRANSACTION_PAYLOAD, HEARTBEAT, HEARTBEAT_V2 ->
                false;
            default -> !isGtid(code);
        };
    }
}
