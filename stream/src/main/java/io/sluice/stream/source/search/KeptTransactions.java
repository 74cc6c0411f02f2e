package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.QueryEvent;
import io.sluice.mysql.gtid.Gtid;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.MySqlGtid;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.transaction.TransactionCommand;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.AccountFailure;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Tells which transactions a server has though it has lost the end of a binlog file in which they were: a replica gets them again, into a later file.
 *
 * <p>What other servers have numbered may still come to a server that replicates. Of those that the server has numbered itself, the number does not tell: it gives numbers again that it has
 * lost. So they are looked up in the files after the lost end, where what was replicated again has the time that it had. What cannot be told counts as kept. For
 * one check and one thread.
 */
public final class KeptTransactions {
    private final ServerFacts facts;
    private final BinlogScan scan;
    private final BinlogPosition end;
    private final GtidSet executed;
    private final List<MariaDbGtid> newestOfServers;
    private final MariaDbGtidSet replicated;
    private final MySqlGtidSet purged;
    private final boolean isReplicating;

    /** @param end where the file ends now */
    public KeptTransactions(ServerFacts facts, BinlogScan scan, BinlogPosition end) throws IOException {
        this.facts = facts;
        this.scan = scan;
        this.end = end;
        this.executed = facts.executed();
        this.newestOfServers = facts.newestOfServers();
        this.replicated = facts.replicated();
        this.purged = facts.purged();
        this.isReplicating = replicates(facts);
    }

    /**
     * An event that was read of the lost end.
     *
     * @param gtid its transaction; empty if it has none
     * @param timeMillis when it was written, by the clock of the server that did, in milliseconds since the epoch
     * @param isStatement whether it is a statement, and not of rows
     */
    public record Event(String gtid, long timeMillis, boolean isStatement) {
        /** Whether another event may be this one, replicated again. */
        private boolean mayBe(EventHeader other, boolean isOtherStatement) {
            boolean isPacked = other.code() == EventCode.TRANSACTION_PAYLOAD; // the times are in it
            return isStatement
                    ? isOtherStatement && isAt(other.timestampSeconds())
                    : isPacked || isAt(other.timestampSeconds());
        }

        private boolean isAt(long seconds) {
            return timeMillis / 1000 == seconds;
        }
    }

    private static boolean isStatement(EventHeader header, EventBody body) {
        return header.code() == EventCode.MARIADB_QUERY_COMPRESSED
                || header.code() == EventCode.QUERY
                        && TransactionCommand.of(QueryEvent.decode(body).sql()) == TransactionCommand.NONE;
    }

    /** Whether it gets what other servers write; not, if the account may not ask for that: what is taken for lost is read from the server again, what is taken for kept is not. */
    private static boolean replicates(ServerFacts facts) throws IOException {
        try {
            ServerFacts.Replication replication = facts.replication();
            return replication == ServerFacts.Replication.RUNNING || replication == ServerFacts.Replication.MEMBER;
        } catch (ServerErrorException e) {
            if (AccountFailure.isMissingPrivilege(e)) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Returns those events of which the server has the transactions, or may get them.
     *
     * @throws IOException if the server cannot be reached
     */
    public Set<Event> among(Collection<Event> events) throws IOException {
        Set<Event> kept = new HashSet<>();
        Map<Gtid, Set<Event>> numberedHere = new HashMap<>();
        for (Event event : events) {
            Gtid gtid = gtidOf(event.gtid());
            if (gtid == null) {
                continue;
            }
            if (!has(gtid)) {
                if (isReplicating && !isOwn(gtid)) {
                    kept.add(event);
                }
            } else if (isOwn(gtid) && !purged.contains(gtid)) {
                numberedHere.computeIfAbsent(gtid, of -> new HashSet<>()).add(event);
            } else {
                kept.add(event);
            }
        }
        numberedHere.values().forEach(kept::addAll);
        kept.removeAll(givenAgain(numberedHere));
        return kept;
    }

    /** Whether the server has all transactions of a set, or may get them. */
    public boolean hasAll(GtidSet set) {
        if (isReplicating) {
            return true;
        }
        return set instanceof MariaDbGtidSet own
                ? own.newest().stream().allMatch(this::has)
                : executed.containsAll(set);
    }

    /** Null if it is none. */
    private static @Nullable Gtid gtidOf(String text) {
        try {
            if (GtidSet.isMariaDb(text)) {
                return MariaDbGtid.parse(text);
            }
            int source = text.indexOf(':');
            return source < 0 ? null : mySqlGtid(text, source);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static Gtid mySqlGtid(String text, int source) {
        int number = text.lastIndexOf(':');
        return new MySqlGtid(
                UUID.fromString(text.substring(0, source)),
                number == source ? "" : text.substring(source + 1, number),
                Long.parseLong(text.substring(number + 1)));
    }

    private boolean has(Gtid gtid) {
        return gtid instanceof MariaDbGtid own
                ? newestOfServers.stream().anyMatch(own::isUpTo) || replicated.contains(own)
                : executed.contains(gtid);
    }

    private boolean isOwn(Gtid gtid) throws IOException {
        return gtid instanceof MariaDbGtid own
                ? own.server() == facts.serverId()
                : gtid instanceof MySqlGtid mysql && mysql.source().toString().equalsIgnoreCase(facts.identity());
    }

    /** Those whose GTIDs the files after the lost end have for other transactions. */
    private Set<Event> givenAgain(Map<Gtid, Set<Event>> events) throws IOException {
        Set<Gtid> left = new HashSet<>(events.keySet());
        Set<Event> others = new HashSet<>();
        boolean isAfter = false;
        for (ServerFacts.File file : facts.files()) {
            if (isAfter && !left.isEmpty()) {
                others.addAll(givenAgain(file.name(), events, left));
            }
            isAfter |= file.name().equals(end.file());
        }
        return others;
    }

    private Set<Event> givenAgain(String file, Map<Gtid, Set<Event>> events, Set<Gtid> left) throws IOException {
        Set<Event> others = new HashSet<>();
        Set<Event> ofTransaction = new HashSet<>();
        scan.scan(file, (header, body, start, until) -> {
            Gtid gtid = FileTransactions.gtidOf(header, body);
            if (gtid == null) {
                if (!ofTransaction.isEmpty()) {
                    boolean isStatement = isStatement(header, body);
                    ofTransaction.removeIf(event -> event.mayBe(header, isStatement));
                }
                return true;
            }
            others.addAll(ofTransaction);
            ofTransaction.clear();
            if (left.remove(gtid)) {
                ofTransaction.addAll(events.getOrDefault(gtid, Set.of()));
            }
            return !left.isEmpty() || !ofTransaction.isEmpty();
        });
        others.addAll(ofTransaction);
        return others;
    }
}
