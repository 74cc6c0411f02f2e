package io.sluice.server.simulation;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.binlog.RandomTransactions;
import io.sluice.testkit.binlog.RandomTransactions.Form;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A server of the source: a binlog, the tables at its end, and its faults. */
final class SimulatedHost {
    private static final long FIRST_SERVER_ID = 7;

    private final ServerAddress address;
    private final String identity;
    private final SyntheticBinlog binlog;
    private final RandomTransactions transactions;
    private final List<Rename> renames = new ArrayList<>();
    private final List<Begun> begun = new ArrayList<>();

    private final List<SimulatedDump> dumps = new ArrayList<>();
    /** When the files were begun that were ever there, by name. */
    private final Map<String, Set<Long>> fileTimes = new HashMap<>();

    /** When each file was begun, by its own clock; not known of the first one. */
    private final Map<String, Long> fileBegun = new HashMap<>();

    private int written;
    private int version;
    private long resetAfter;
    /** The transactions of a binlog whose GTIDs were given again; null if they were not. */
    private @Nullable List<Transaction> forgotten;

    private boolean isDown;
    private boolean refusesGtids;
    private boolean isReplica;
    private long serverId = FIRST_SERVER_ID;
    private LongSupplier clock;
    private @Nullable BinlogPosition damage;

    /** A DDL that gave a column of the table with the rows a new name. */
    record Rename(long transaction, String column) {}

    /** When a form was begun, and the newest transaction before it. */
    private record Begun(long seconds, long newestBefore) {}

    SimulatedHost(
            ServerAddress address, String identity, boolean isReplica, SyntheticBinlog binlog, long workloadSeed) {
        this.address = address;
        this.identity = identity;
        this.isReplica = isReplica;
        this.binlog = binlog;
        this.clock = binlog::seconds;
        this.transactions = new RandomTransactions(binlog, new Random(workloadSeed));
    }

    ServerAddress address() {
        return address;
    }

    String identity() {
        return identity;
    }

    boolean isReplica() {
        return isReplica;
    }

    void setReplica(boolean replica) {
        isReplica = replica;
    }

    /** Sets the {@code server_id}, and the clock, in seconds since the epoch, which is that of the binlog before. */
    void identifyAs(long id, LongSupplier itsClock) {
        serverId = id;
        clock = itsClock;
        binlog.belongTo(id);
    }

    long serverId() {
        return serverId;
    }

    /** The time by its clock, in seconds since the epoch. */
    long seconds() {
        return clock.getAsLong();
    }

    SyntheticBinlog binlog() {
        return binlog;
    }

    RandomTransactions transactions() {
        return transactions;
    }

    SourceHost asSource(ConfiguredStart start) {
        return new SourceHost(ConnectOptions.of(address, "sluice", ""), start);
    }

    /** Changes with the binlog. */
    int version() {
        return version;
    }

    /** How many forms of transactions were written. */
    int written() {
        return written;
    }

    void write(Form form, long seconds) {
        write(form, Math.max(seconds, binlog.seconds()), serverId);
    }

    /** Writes what was begun at this time by the clock of the server with an id, perhaps of another one. */
    void write(Form form, long seconds, long writer) {
        setBinlogClock(seconds);
        binlog.writeAs(writer);
        begun.add(new Begun(seconds, newest()));
        transactions.write(form);
        written++;
        version++;
        if (forgotten == null && RandomTransactions.SCHEMA_CHANGES.contains(form)) {
            renames.add(new Rename(newest(), transactions.newestColumn()));
        }
    }

    /** Sets {@code binlog_row_metadata} to FULL or MINIMAL. */
    void nameColumns(boolean named) {
        binlog.nameColumns(named);
    }

    /** Begins a file, by its own clock, unless there was another one with that name and time. */
    void rotate() {
        if (!isNewFile(
                "binlog.%06d".formatted(Integer.parseInt(binlog.newestFile().substring(7)) + 1))) {
            return;
        }
        long written = binlog.seconds();
        setBinlogClock(seconds());
        binlog.rotate();
        fileBegun.put(binlog.newestFile(), seconds());
        setBinlogClock(written);
        version++;
    }

    private boolean isNewFile(String name) {
        return fileTimes.computeIfAbsent(name, file -> new HashSet<>()).add(seconds());
    }

    /**
     * Resets the binlog, unless its first file would be begun in the same second as another one with that name.
     *
     * @param keepsGtids whether the executed transactions stay those that they were
     * @return whether it did
     */
    boolean reset(boolean keepsGtids) {
        if (!isNewFile("binlog.000001")) {
            return false;
        }
        if (keepsGtids) {
            resetAfter = newest();
        } else {
            forgotten = binlog.transactions();
        }
        long before = binlog.seconds();
        setBinlogClock(seconds());
        binlog.reset(keepsGtids);
        fileBegun.clear();
        fileBegun.put(binlog.newestFile(), seconds());
        setBinlogClock(before);
        version++;
        breakDumps();
        return true;
    }

    /** How many transactions are of binlogs before a reset, whose positions mean nothing any more. */
    long resetAfter() {
        return resetAfter;
    }

    /** The transactions, oldest first; after GTIDs were given again those before that. */
    private List<Transaction> transactionsRead() {
        return forgotten == null ? binlog.transactions() : forgotten;
    }

    private void setBinlogClock(long seconds) {
        binlog.advance(seconds - binlog.seconds());
    }

    /** Deletes the oldest files, as far as all transactions in them are among the first ones; ends all dumps.
     *
     * @param kept the file in which a cursor is, which it is not known to be at the end of; empty for none
     */
    int purge(long executed, String kept) {
        int count = 0;
        List<String> files = binlog.fileNames();
        while (count < files.size() - 1 && !files.get(count).equals(kept) && lastIn(files.get(count)) <= executed) {
            count++;
        }
        if (count > 0) {
            binlog.purge(count);
            version++;
            breakDumps();
        }
        return count;
    }

    /** The number of a transaction before which all are older than a time. */
    long transactionsUntil(long seconds) {
        long before = 0;
        for (Begun form : begun) {
            if (form.seconds() > seconds) {
                break;
            }
            before = form.newestBefore();
        }
        return before;
    }

    /** The file that a transaction is in; the oldest one for 0. */
    String fileOf(long transaction) {
        return transaction <= resetAfter
                ? binlog.fileNames().get(0)
                : binlog.transactions().get((int) transaction - 1).file();
    }

    /** The newest file that was begun by a time, by its own clock; the oldest one if there is none. */
    String fileBegunBy(long seconds) {
        List<String> files = binlog.fileNames();
        for (int i = files.size() - 1; i > 0; i--) {
            if (fileBegun.getOrDefault(files.get(i), 0L) <= seconds) {
                return files.get(i);
            }
        }
        return files.get(0);
    }

    private long lastIn(String file) {
        long last = resetAfter;
        for (Transaction transaction : binlog.transactions()) {
            if (transaction.number() > resetAfter && transaction.file().compareTo(file) <= 0) {
                last = transaction.number();
            }
        }
        return last;
    }

    /** The number of the newest transaction; 0 if there is none. */
    long newest() {
        List<Transaction> all = binlog.transactions();
        return all.isEmpty() ? 0 : all.get(all.size() - 1).number();
    }

    /** Makes everything after this position unreadable. */
    void damageAt(BinlogPosition position) {
        damage = position;
        breakDumps();
    }

    boolean isDamagedAt(String file, long end) {
        BinlogPosition at = damage;
        return at != null && at.isBefore(new BinlogPosition(file, end));
    }

    boolean isDamaged() {
        return damage != null;
    }

    /** Ends all dumps, and rejects those that are requested by GTIDs, as after a change of {@code gtid_mode}. */
    void refuseGtids() {
        refusesGtids = true;
        breakDumps();
    }

    boolean refusesGtids() {
        return refusesGtids;
    }

    boolean isDown() {
        return isDown;
    }

    void setDown(boolean down) {
        isDown = down;
        if (down) {
            breakDumps();
        }
    }

    void add(SimulatedDump dump) {
        dumps.removeIf(SimulatedDump::isClosed);
        dumps.add(dump);
    }

    void breakDumps() {
        dumps.forEach(SimulatedDump::lose);
        dumps.clear();
    }

    boolean is(Cursor cursor) {
        return cursor.sourceHost().equals(address.host()) && cursor.sourcePort() == address.port();
    }

    /**
     * The number of the newest transaction before a position.
     *
     * @throws Violation if the position is within a transaction
     */
    long transactionsBefore(BinlogPosition position) {
        long before = 0;
        for (Transaction transaction : transactionsRead()) {
            BinlogPosition start = new BinlogPosition(transaction.file(), transaction.start());
            if (!start.isBefore(position)) {
                break;
            }
            if (transaction.file().equals(position.file()) && transaction.end() > position.offset()) {
                throw new Violation("%s is within the transaction %s".formatted(position, transaction));
            }
            before = transaction.number();
        }
        return before;
    }

    /** The executed set after a transaction. */
    String executedAfter(long transaction) {
        return transaction == 0
                ? ""
                : transactionsRead().get((int) transaction - 1).gtidsAfter();
    }

    /** The name that the newest change of the schema after a transaction, and up to another one, has given to a column; null if there is none. */
    @Nullable String renamedBetween(long after, long transaction) {
        String column = null;
        for (Rename rename : renames) {
            if (after < rename.transaction() && rename.transaction() <= transaction) {
                column = rename.column();
            }
        }
        return column;
    }
}
