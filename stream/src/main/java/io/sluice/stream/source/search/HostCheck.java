package io.sluice.stream.source.search;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.gtid.ShortenedGtidSet;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.LastEvent;
import io.sluice.stream.source.server.AccountFailure;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks before a dump that a server can be read from a start position without a gap; an exception states what is missing.
 */
public final class HostCheck {
    private HostCheck() {}

    /**
     * Checks that there is anything to read. This comes first: what a server has executed that writes no binlog says nothing of that.
     *
     * <p>A server that has {@code log_bin=OFF} and shows the end of a binlog has one: a proxy may lead a SELECT to another server than a dump.
     *
     * @throws SourceException NO_BINLOG if the server writes none
     */
    public static void requireBinlog(ServerFacts facts) throws IOException {
        if (!facts.writesBinlog() && !showsEnd(facts)) {
            throw new SourceException(
                    SourceFailure.NO_BINLOG, "%s writes no binlog (log_bin=OFF)".formatted(facts.address()));
        }
    }

    /**
     * Checks the transactions of a start position that is requested by GTIDs.
     *
     * @throws SourceException LAGGING or DIVERGED if the server lacks some that were read: what it sends would not be a
     *     continuation; PURGED if it does not have the events any more of some that were not read
     */
    public static void require(GtidSet read, ServerFacts facts) throws IOException {
        require(read, null, facts);
    }

    /**
     * Fails as {@link #require(GtidSet, ServerFacts)} does, for a start position that also has a file.
     *
     * @param position shows that the binlog has another name than before; null if it is not known
     */
    static void require(GtidSet read, @Nullable BinlogPosition position, ServerFacts facts) throws IOException {
        if (!facts.executed().containsAll(read)) {
            requireCommitting(read, position, facts);
        }
        if (!(read instanceof MySqlGtidSet ours)) {
            return;
        }
        MySqlGtidSet purged = facts.purged();
        if (!ours.containsAll(purged)) {
            throw new SourceException(
                    SourceFailure.PURGED,
                    "%s has purged transactions that are still needed: %s; it still has %s"
                            .formatted(facts.address(), ShortenedGtidSet.of(purged.subtract(ours)), remaining(facts)));
        }
    }

    /** A transaction that a server is committing was sent already, and is executed soon. */
    private static void requireCommitting(GtidSet read, @Nullable BinlogPosition position, ServerFacts facts)
            throws IOException {
        MySqlGtidSet committing = facts.committing(); // before those that are executed, of which it is then
        GtidSet executed = facts.executed();
        GtidSet missing = read;
        if (read instanceof MySqlGtidSet ours && executed instanceof MySqlGtidSet theirs) {
            missing = ours.subtract(theirs).subtract(committing);
        } else if (read instanceof MariaDbGtidSet ours && executed instanceof MariaDbGtidSet theirs) {
            missing = ours.subtract(theirs).subtract(facts.newestOfServers());
        }
        if (!missing.isEmpty()) {
            throw missing(
                    "%s does not have the transactions %s, which were read already; it has executed %s"
                            .formatted(
                                    facts.address(),
                                    ShortenedGtidSet.of(missing),
                                    executed.isEmpty() ? "none" : ShortenedGtidSet.of(executed)),
                    deletedDomains(missing, executed),
                    executed,
                    position,
                    facts);
        }
    }

    /** A MariaDB notes what it has executed beside its binlog, by the name of that, so it has nothing after that was changed. */
    private static String newBinlog(GtidSet executed, @Nullable BinlogPosition position, ServerFacts facts)
            throws IOException {
        if (!(executed instanceof MariaDbGtidSet)) {
            return "";
        }
        String now = position == null || !position.isKnown() ? "" : otherName(position.file(), facts);
        String reason;
        if (!now.isEmpty()) {
            reason = "; its log_bin has another name than before (%s, and %s was read): if".formatted(now, position);
        } else if (executed.isEmpty()) {
            reason = "; it has none after RESET MASTER, or if its log_bin has another name than before: if it has, and";
        } else {
            return "";
        }
        return reason
                + " nothing was written since, set that back; if something was, and all was read before, set the cursor to its oldest position;"
                + " else load the tables again, too";
    }

    /** A file of the server if the one that was read is of a binlog with another name; empty if not, or it may not be asked. */
    private static String otherName(String file, ServerFacts facts) throws IOException {
        try {
            List<ServerFacts.File> files = facts.files();
            String newest = files.isEmpty() ? file : files.get(files.size() - 1).name();
            return BinlogPosition.compareFiles(file, newest).isEmpty() ? newest : "";
        } catch (ServerErrorException e) {
            if (!AccountFailure.isMissingPrivilege(e)) {
                throw e;
            }
            return "";
        }
    }

    /** What may be the reason if a server has no transaction of a domain, though it has some of others. */
    static String deletedDomains(GtidSet missing, GtidSet executed) {
        boolean isOfDomain = missing instanceof MariaDbGtidSet ours
                && executed instanceof MariaDbGtidSet theirs
                && !theirs.isEmpty()
                && !ours.inDomainsOf(theirs).equals(ours);
        return isOfDomain
                ? "; it has nothing of some of these domains: if they were deleted there (FLUSH BINARY LOGS DELETE_DOMAIN_ID), set the cursor to"
                        + " its GTIDs without them"
                : "";
    }

    /** The failure of a server that lacks transactions: of a replica that may get them, or of one that has another history. */
    private static SourceException missing(
            String what, String hint, GtidSet executed, @Nullable BinlogPosition position, ServerFacts facts)
            throws IOException {
        try {
            if (facts.isReplica()) {
                return new SourceException(
                        SourceFailure.LAGGING,
                        what + ", and replicates from others, so it may get them" + notLogged(facts) + hint);
            }
            boolean unused = showsEnd(facts); // a reader of a cluster, which need not have all transactions, shows none
            return new SourceException(
                    SourceFailure.DIVERGED,
                    what + ", and replicates from no server" + newBinlog(executed, position, facts) + hint);
        } catch (ServerErrorException e) {
            if (e.errno() != ServerErrorException.SPECIFIC_ACCESS_DENIED) {
                throw e;
            }
            return new SourceException(
                    SourceFailure.LAGGING,
                    "%s, and may get them if it replicates from others, which this account may not ask (%s): grant it %s%s"
                            .formatted(
                                    what,
                                    e.serverMessage(),
                                    facts.mariaDb() ? "SLAVE MONITOR" : "REPLICATION CLIENT",
                                    hint),
                    e);
        }
    }

    /** On MariaDB, a replica counts as executed what is in its binlog. */
    private static String notLogged(ServerFacts facts) throws IOException {
        return !facts.mariaDb() || facts.logsReplicated()
                ? ""
                : "; but not as long as log_slave_updates=OFF there, which keeps them out of its binlog";
    }

    /**
     * Whether a server shows where its binlog ends; not if the account may not ask.
     *
     * @throws SourceException NO_BINLOG if it has none
     */
    private static boolean showsEnd(ServerFacts facts) throws IOException {
        try {
            ServerFacts.End unused = facts.end();
            return true;
        } catch (ServerErrorException e) {
            if (!AccountFailure.isMissingPrivilege(e)) {
                throw e;
            }
            return false;
        }
    }

    /**
     * Checks that a file is the one that was read before, and not another one of the same name.
     *
     * @param read up to where the one was read
     * @param before when that one was begun, in seconds since the epoch
     * @param now when the one was begun that the server has; 0 if it does not state that
     * @throws SourceException PURGED if it is another one: the position means nothing in it
     */
    public static void requireSameFile(BinlogPosition read, long before, long now) throws SourceException {
        if (now != 0 && now != before) {
            throw new SourceException(
                    SourceFailure.PURGED,
                    ("%s is another file than the one that was read up to %d: it was begun at %s, and that one at %s, so the binlog was reset"
                                    + " meanwhile (RESET MASTER, or a server that was restored or rebuilt), and what followed may be lost")
                            .formatted(
                                    read.file(),
                                    read.offset(),
                                    Instant.ofEpochSecond(now),
                                    Instant.ofEpochSecond(before)));
        }
    }

    /**
     * Whether a server is probably not the one of a position: its {@code server_id} is not that of the last event before it. A chain of replicas passes on the
     * ids of other servers.
     *
     * @param before that event; if its time is not known, another server cannot be read from then on
     */
    public static boolean isProbablyOther(LastEvent before, ServerFacts facts) throws IOException {
        return before.serverId() != 0 && before.millis() > 0 && before.serverId() != facts.serverId();
    }

    /**
     * The failure of a request by GTIDs or position that the server has rejected already.
     *
     * @param start where it was to be read from; null if that was still looked for
     */
    public static SourceException purged(@Nullable DumpStart start, ServerErrorException error, ServerFacts facts)
            throws IOException {
        return new SourceException(
                SourceFailure.PURGED,
                "%s has purged the binlog that is needed next%s: %s; it still has %s"
                        .formatted(
                                facts.address(),
                                start == null ? "" : ", from " + shown(start) + " on",
                                error.getMessage(),
                                remaining(facts)),
                error);
    }

    private static String shown(DumpStart start) {
        GtidSet executed = start.executed();
        return start.position() == null && executed != null
                ? "after " + ShortenedGtidSet.of(executed)
                : start.toString();
    }

    private static String remaining(ServerFacts facts) throws IOException {
        MySqlGtidSet purged = facts.purged();
        return files(facts) + (purged.isEmpty() ? "" : ", without the transactions " + ShortenedGtidSet.of(purged));
    }

    private static String files(ServerFacts facts) throws IOException {
        try {
            List<ServerFacts.File> files = facts.files();
            ServerFacts.File last = files.get(files.size() - 1);
            return "%s:4 to %s:%d".formatted(files.get(0).name(), last.name(), last.bytes());
        } catch (ServerErrorException e) {
            if (!AccountFailure.isMissingPrivilege(e)) {
                throw e;
            }
            return "files that this account may not list (%s)".formatted(e.serverMessage());
        }
    }
}
