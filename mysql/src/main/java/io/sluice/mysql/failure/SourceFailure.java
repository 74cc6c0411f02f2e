package io.sluice.mysql.failure;

import java.util.Locale;

/**
 * The kinds of failure of a source. The list is closed: every exception on the way from a source to the store is one of these, and
 * logs, {@code /health} and metrics name it.
 */
public enum SourceFailure {
    /** The host does not answer, the connection broke, or the server is shutting down or has no connection to spare. */
    UNREACHABLE(Reaction.RETRY, "check the host's address, its network and its load"),
    /** The server does not accept the account, or asks for a login that is not allowed here. */
    AUTHENTICATION(
            Reaction.RETRY_THEN_STOP,
            "check canal.instance.dbUsername and canal.instance.dbPassword, the account's host and plugin, and"
                    + " canal.instance.master.sslMode and its keys"),
    /** The server writes no binlog, or lets none be read, as the readers of a cluster that has one writer. */
    NO_BINLOG(
            Reaction.RETRY_THEN_STOP,
            "start the server with log_bin; of a cluster of which only the writer has a binlog (Amazon Aurora, PolarDB), name the writer's"
                    + " address (Aurora: the cluster endpoint; PolarDB: the primary endpoint), not that of a reader"),
    /** The server, or a setting of it, does not fit this instance: a format that is not accepted, missing privileges. */
    MISCONFIGURED(
            Reaction.NEXT_HOST_OR_STOP,
            "change what the message names: a setting of the source or here, or the account's privileges"),
    /** The server is a replica that does not have all transactions yet that were read elsewhere. */
    LAGGING(Reaction.RETRY, "wait until the replica has caught up, or name another host"),
    /** The host's address leads to another server now, which writes, while nothing comes any more from the one that is still read. */
    OTHER_SERVER(
            Reaction.RETRY,
            "see where the address leads, and end connections to a server that was replaced; if the address leads to several servers on purpose, see"
                    + " whether the one that is read still replicates"),
    /** The server does not have the binlog any more that is needed next. */
    PURGED(
            Reaction.NEXT_HOST_OR_STOP,
            "load the tables again and set the cursor to a position from before that, or leave a gap: sluice.sh cursor set DESTINATION"
                    + " --to oldest --restart (if the server has ended: without --restart, then bin/startup.sh); or set canal.auto.reset.latest.pos.mode=true,"
                    + " which continues at the newest position whenever this happens"),
    /** The server does not have transactions that were read, and never will: its history is another one. */
    DIVERGED(
            Reaction.NEXT_HOST_OR_STOP,
            "read the server that has them; or, if they are lost, set the cursor to a position of this server with cursor set"),
    /** Another replica has the server id of this one: the server disconnects one of both. Stops if that is repeated. */
    DUPLICATE_SERVER_ID(
            Reaction.RETRY,
            "if the other replica is a copy of this instance, stop one of both, since with two ids each of them delivers all changes; else give this instance a server"
                    + " id of its own by canal.instance.mysql.slaveId"),
    /** An event is larger than the server may send, or than this heap can hold. */
    EVENT_TOO_LARGE(
            Reaction.NEXT_HOST_OR_STOP,
            "raise -Xmx here, or max_allowed_packet of the source, up to 1G, if the source has rejected the row because of it"),
    /** The binlog, or the way from it, is damaged. */
    CORRUPT(
            Reaction.RETRY_THEN_STOP,
            "check the source's error log and disk; read another host, or set the cursor after the damage and load the tables again"),
    /** The server ended the dump with an error that is none of the others. */
    REJECTED(Reaction.RETRY, "look the error up in the server's manual"),
    /** Rows do not fit the schema of their table. */
    SCHEMA_MISMATCH(
            Reaction.STOP,
            "canal.instance.schema.reload takes the table's schema from the source, canal.instance.schema.onMismatch=skip"
                    + " quarantines it, canal.instance.filter.black.regex excludes it"),
    /** The server of the schema history does not answer, or rejects statements. */
    HISTORY_UNREACHABLE(Reaction.RETRY_SAME_HOST, "check canal.instance.tsdb.url and its server"),
    /** The schema history cannot be used: its file is damaged, held by another process, or cannot be written. */
    HISTORY_UNUSABLE(
            Reaction.STOP,
            "do what the message says; a damaged schema history is restored from a backup or moved away"),
    /** Rows of XA transactions that are held back cannot be written to a file, or read from it. */
    XA_NOT_HELD(
            Reaction.STOP,
            "check the disk of canal.file.data.dir, where they are, then start the instance again: it resumes before the transaction"),
    /** Rows of a large transaction that is held until it ends cannot be written to a file, or read from it. */
    TRANSACTION_NOT_HELD(
            Reaction.STOP,
            "check the disk of canal.file.data.dir, where they are, or raise canal.instance.transaction.spill.max, then start the"
                    + " instance again: it resumes before the transaction; 0 delivers large transactions before they end"),
    /** The position where the stream begins cannot be stored. */
    CURSOR_NOT_STORED(Reaction.RETRY_SAME_HOST, "check the disk, or ZooKeeper, where cursors are kept"),
    /** The stream was read before, and its cursor is gone. */
    CURSOR_LOST(
            Reaction.STOP,
            "restore the cursor (meta.dat, or ZooKeeper), or set where to continue: sluice.sh cursor set DESTINATION --to"
                    + " FILE:OFFSET, or --to newest, which skips what came since, --restart (if the server has ended: without"
                    + " --restart, then bin/startup.sh); canal.instance.position.onLost=newest always begins at the newest position"),
    /** The binlog has an event that cannot be handled: an incident, or of a type that is not known. */
    UNSUPPORTED_EVENT(Reaction.STOP, "set the cursor after the event, and load again what it would have changed"),
    /** A table filter takes too long. */
    FILTER_TOO_EXPENSIVE(Reaction.STOP, "simplify canal.instance.filter.regex"),
    /** A defect of Sluice. */
    INTERNAL(Reaction.STOP, "report it with the stack trace from the log");

    private final Reaction reaction;
    private final String remedy;

    SourceFailure(Reaction reaction, String remedy) {
        this.reaction = reaction;
        this.remedy = remedy;
    }

    public Reaction reaction() {
        return reaction;
    }

    /** What an operator can do. */
    public String remedy() {
        return remedy;
    }

    /** As metrics, JSON and logs spell it. */
    public String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }
}
