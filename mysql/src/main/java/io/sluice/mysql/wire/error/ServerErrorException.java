package io.sluice.mysql.wire.error;

import java.io.IOException;

/** Thrown if the server answers with an error packet. After a failed query, the connection can still be used. */
public final class ServerErrorException extends IOException {
    /** {@code ER_MASTER_FATAL_ERROR_READING_BINLOG}: the binlog cannot be read from the requested position. */
    public static final int BINLOG_UNREADABLE = 1236;

    /**
     * {@code ER_ACCESS_DENIED_ERROR}: user or password are wrong, or the account may not log in from here; of a dump, the account lacks
     * REPLICATION SLAVE.
     */
    public static final int ACCESS_DENIED = 1045;

    /** {@code ER_UNKNOWN_SYSTEM_VARIABLE}: the server has no such variable; older ones lack some. */
    public static final int UNKNOWN_SYSTEM_VARIABLE = 1193;

    /** {@code ER_SPECIFIC_ACCESS_DENIED_ERROR}: the account lacks a privilege for what it asked. */
    public static final int SPECIFIC_ACCESS_DENIED = 1227;

    /** {@code ER_PLUGIN_IS_NOT_LOADED}: of a login, the server does not have the authentication plugin of the account. */
    public static final int PLUGIN_NOT_LOADED = 1524;

    /** {@code ER_NOT_SUPPORTED_AUTH_MODE}: this client cannot log in as the account requires. */
    public static final int UNSUPPORTED_LOGIN = 1251;

    /** The class of SQL states for errors of a connection, whatever the account; but 1251 has one of them, too. */
    private static final String CONNECTION_STATES = "08";

    private enum Request {
        LOGIN,
        DUMP,
        OTHER
    }

    private final int errno;
    private final String sqlState;
    private final String serverMessage;
    private final Request request;

    /**
     * Makes the exception from the fields of an error packet.
     *
     * @param doing what was requested and where, as the message's start
     * @param errno MySQL's error number, 0 to 65535
     * @param sqlState five characters; {@code HY000} if the server sent none
     * @param serverMessage the server's words alone; may be empty
     * @param advice what an operator can do, as the message's end; empty for none
     */
    public ServerErrorException(String doing, int errno, String sqlState, String serverMessage, String advice) {
        super("%s: server error %d (%s): %s%s"
                .formatted(doing, errno, sqlState, serverMessage, advice.isEmpty() ? "" : "; " + advice));
        this.errno = errno;
        this.sqlState = sqlState;
        this.serverMessage = serverMessage;
        this.request = Request.OTHER;
    }

    private ServerErrorException(ServerErrorException error, Request request) {
        super(error.getMessage());
        this.errno = error.errno;
        this.sqlState = error.sqlState;
        this.serverMessage = error.serverMessage;
        this.request = request;
    }

    /** Returns the same error as the answer to a login, after the greeting. */
    public ServerErrorException ofLogin() {
        return new ServerErrorException(this, Request.LOGIN);
    }

    /** Returns the same error as the answer to a replica that registers, or that requests a binlog: it has logged in before. */
    public ServerErrorException ofDump() {
        return new ServerErrorException(this, Request.DUMP);
    }

    /** Whether the server has accepted the login, and then denied the binlog: the account lacks REPLICATION SLAVE. */
    public boolean isDumpDenied() {
        return request == Request.DUMP && errno == ACCESS_DENIED;
    }

    /** MySQL's error number, such as 1045. */
    public int errno() {
        return errno;
    }

    /** Five characters; {@code HY000} if the server sent none. */
    public String sqlState() {
        return sqlState;
    }

    /** The server's words alone. */
    public String serverMessage() {
        return serverMessage;
    }

    /**
     * Whether the binlog cannot be read from the requested position: its file was purged or never existed, the offset is not the
     * start of an event, or an event is larger than the server's {@code max_allowed_packet}.
     */
    public boolean isBinlogUnreadable() {
        return errno == BINLOG_UNREADABLE;
    }

    /** Whether the server takes no request for now, or has ended the connection, so that the same request may be answered later. */
    public boolean isTemporary() {
        if (request == Request.LOGIN && errno != UNSUPPORTED_LOGIN && sqlState.startsWith(CONNECTION_STATES)) {
            return true;
        }
        return switch (errno) {
            case 1040, // ER_CON_COUNT_ERROR
                    1203, // ER_TOO_MANY_USER_CONNECTIONS
                    1226, // ER_USER_LIMIT_REACHED
                    1129, // ER_HOST_IS_BLOCKED
                    1053, // ER_SERVER_SHUTDOWN
                    1037, // ER_OUTOFMEMORY
                    1041, // ER_OUT_OF_RESOURCES
                    1135, // ER_CANT_CREATE_THREAD
                    1927, // ER_CONNECTION_KILLED of MariaDB
                    1317, // ER_QUERY_INTERRUPTED
                    3032, // ER_SERVER_OFFLINE_MODE
                    3169 // ER_SESSION_WAS_KILLED
            -> true;
            default -> false;
        };
    }
}
