package io.sluice.mysql.wire.error;

/** Errors of servers that do not exist. */
public final class ServerErrors {
    private ServerErrors() {}

    /** The errors of a server that cannot continue a dump. */
    public static ServerErrorException unreadable(String message) {
        return new ServerErrorException(
                "reading the binlog", ServerErrorException.BINLOG_UNREADABLE, "HY000", message, "");
    }

    /** The error of a server whose account lacks a privilege. */
    public static ServerErrorException denied(String privilege) {
        return new ServerErrorException(
                "asking the server",
                ServerErrorException.SPECIFIC_ACCESS_DENIED,
                "42000",
                "Access denied; you need (at least one of) the %s privilege(s) for this operation".formatted(privilege),
                "");
    }

    /** An error of which the number matters only. */
    public static ServerErrorException of(int errno) {
        return new ServerErrorException("asking the server", errno, "HY000", "refused", "");
    }
}
