package io.sluice.mysql.wire;

/** Errors of servers that do not exist. */
public final class ServerErrors {
    private ServerErrors() {}

    /** The errors of a server that cannot continue a dump. */
    public static ServerErrorException unreadable(String message) {
        return new ServerErrorException(
                "reading the binlog", ServerErrorException.BINLOG_UNREADABLE, "HY000", message, "");
    }
}
