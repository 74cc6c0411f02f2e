package io.sluice.mysql.wire;

/** Errors of servers that do not exist. */
public final class ServerErrors {
    private ServerErrors() {}

    /** What a server answers to a dump that it cannot go on with. */
    public static ServerErrorException unreadable(String message) {
        return new ServerErrorException(
                "reading the binlog", ServerErrorException.BINLOG_UNREADABLE, "HY000", message, "");
    }
}
