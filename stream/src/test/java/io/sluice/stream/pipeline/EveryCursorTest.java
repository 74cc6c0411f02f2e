package io.sluice.stream.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.ChangeId;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.protobuf.EncodingPool;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.store.ring.Batch;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.Readiness;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.TransactionSpill;
import io.sluice.stream.options.XaHolding;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.reader.ReaderOptions;
import io.sluice.testkit.binlog.RandomTransactions;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.binlog.SyntheticBinlog.Transaction;
import io.sluice.testkit.binlog.SyntheticTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random sequences of everything that servers log, and a stop at every entry of them: the cursor is never within a
 * transaction, nothing that was not acked is before it, and reading from it brings exactly the rest, by GTID and by file.
 */
class EveryCursorTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final int SEEDS = Integer.getInteger("sluice.seeds", 12);

    @TempDir
    private Path directory;

    /** Where rows of XA transactions are delivered. */
    enum Xa {
        PREPARED,
        COMMITTED
    }

    static Stream<Arguments> binlogs() {
        return Stream.of(Flavour.values())
                .flatMap(flavour -> Stream.of(Xa.values())
                        .flatMap(xa -> Stream.iterate(1L, seed -> seed + 1)
                                .limit(SEEDS)
                                .map(seed -> Arguments.of(flavour, xa, seed))));
    }

    @ParameterizedTest
    @MethodSource("binlogs")
    void nothingIsLostWhereverItStops(Flavour flavour, Xa xa, long seed) throws Exception {
        Random random = new Random(seed);
        SyntheticBinlog binlog = new SyntheticBinlog(flavour, 7, SERVER, 1_700_000_000, random.nextBoolean());
        RandomTransactions transactions = new RandomTransactions(binlog, random);
        transactions.write(RandomTransactions.withUndecidedXa(flavour), 4 + random.nextInt(16));
        Map<Long, Long> held = xa == Xa.COMMITTED ? transactions.decisions() : Map.of();
        Path files = xa == Xa.COMMITTED ? directory : null;
        BinlogPosition start = new BinlogPosition(binlog.fileNames().get(0), BinlogPosition.FIRST_OFFSET);

        Path spill = random.nextBoolean() ? directory : null;
        Reading whole = new Reading(binlog, start, flavour.hasGtids() ? empty(flavour) : null, files, spill, random);
        whole.read(binlog.dump(start.file(), start.offset()));
        List<Entry> entries = whole.entries();
        requireAllTransactions(binlog, entries);
        if (flavour.isMariaDb()) { // MySQL 8.0 logs none
            assertThat(entries).noneMatch(entry -> isRolledBack(binlog, entry));
        }

        for (int acked = 1; acked <= entries.size(); acked++) {
            whole.ackNext();
            Cursor cursor = whole.cursor();
            if (cursor == null) {
                assertThat(entries.subList(0, acked)).noneMatch(Entry::isBoundary);
                continue;
            }
            String what = "seed %d, %d of %d acked, %s".formatted(seed, acked, entries.size(), cursor);
            requireBetweenTransactions(binlog, cursor, what);
            requireNothingSkipped(binlog, entries.subList(acked, entries.size()), cursor, what);
            requireNoneUndecided(binlog, held, entries.subList(acked, entries.size()), cursor, what);
            requireClose(binlog, held, entries.get(acked - 1), cursor, what);
            requireRest(binlog, held, entries, cursor, files, spill, random, what);
        }
        BinlogPosition end = new BinlogPosition(binlog.newestFile(), lastBoundary(binlog));
        assertThat(whole.cursor().position()).as("seed %d", seed).isEqualTo(beforeUndecided(binlog, held, end));
    }

    @ParameterizedTest
    @MethodSource("binlogs")
    void nothingIsLostOrDoubledWhereverTheConnectionBreaks(Flavour flavour, Xa xa, long seed) throws Exception {
        Random random = new Random(seed);
        SyntheticBinlog binlog = new SyntheticBinlog(flavour, 7, SERVER, 1_700_000_000, random.nextBoolean());
        RandomTransactions transactions = new RandomTransactions(binlog, random);
        transactions.write(RandomTransactions.withUndecidedXa(flavour), 4 + random.nextInt(16));
        Map<Long, Long> held = xa == Xa.COMMITTED ? transactions.decisions() : Map.of();
        Path files = xa == Xa.COMMITTED ? directory : null;
        BinlogPosition start = new BinlogPosition(binlog.fileNames().get(0), BinlogPosition.FIRST_OFFSET);
        GtidSet none = flavour.hasGtids() ? empty(flavour) : null;
        Reading whole = new Reading(binlog, start, none, files, random);
        whole.read(binlog.dump(start.file(), start.offset()));

        Reading broken = new Reading(binlog, start, none, files, directory, random);
        List<byte[]> dump = binlog.dump(start.file(), start.offset());
        for (int breaks = random.nextInt(6); breaks > 0; breaks--) {
            broken.read(dump.subList(0, random.nextInt(dump.size() + 1)));
            dump = broken.resume();
        }
        broken.read(dump);

        assertThat(committed(binlog, broken.entries()))
                .as("seed %d", seed)
                .isEqualTo(committed(binlog, whole.entries()));
        if (flavour.isMariaDb()) {
            assertThat(broken.entries()).as("seed %d", seed).noneMatch(entry -> isRolledBack(binlog, entry));
            assertThat(broken.reader.rolledBackDeliveries()).as("seed %d", seed).isZero();
        }
        while (broken.ackNext()) {
            Cursor cursor = broken.cursor();
            if (cursor != null) {
                requireBetweenTransactions(binlog, cursor, "seed %d, %s".formatted(seed, cursor));
            }
        }
        Cursor last = whole.cursorOfAll();
        assertThat(broken.cursor() == null).isEqualTo(last == null);
        if (last != null) {
            // It may be before the head of the last file, if nothing else was read after the last break.
            assertThat(broken.cursor().gtidSet()).isEqualTo(last.gtidSet());
            if (!held.containsValue(0L)) {
                requireNothingLeft(binlog, broken.cursor());
            }
        }
    }

    /** Rows of XA transactions come where they are committed, as they would have come where they are prepared, and no others. */
    @ParameterizedTest
    @MethodSource("binlogs")
    void committedRowsAreTheSame(Flavour flavour, Xa xa, long seed) throws Exception {
        Random random = new Random(seed);
        SyntheticBinlog binlog = new SyntheticBinlog(flavour, 7, SERVER, 1_700_000_000, random.nextBoolean());
        RandomTransactions transactions = new RandomTransactions(binlog, random);
        transactions.write(RandomTransactions.withUndecidedXa(flavour), 30);
        BinlogPosition start = new BinlogPosition(binlog.fileNames().get(0), BinlogPosition.FIRST_OFFSET);
        Reading prepared = new Reading(binlog, start, null, null, random);
        prepared.read(binlog.dump(start.file(), start.offset()));
        Reading other = new Reading(binlog, start, null, xa == Xa.COMMITTED ? directory : null, random);
        other.read(binlog.dump(start.file(), start.offset()));

        Map<BinlogPosition, List<String>> rows = new HashMap<>();
        for (Entry entry : prepared.entries()) {
            rows.computeIfAbsent(start(transactionOf(binlog, entry)), position -> new ArrayList<>())
                    .addAll(isRolledBack(binlog, entry) ? List.of() : rowsOf(entry));
        }
        Map<Long, Long> preparations = new HashMap<>();
        transactions.decisions().forEach((number, decision) -> preparations.put(decision, number));
        List<String> expected = new ArrayList<>();
        for (Transaction transaction : binlog.transactions()) {
            long number = transaction.number();
            boolean isHeld = xa == Xa.COMMITTED && transaction.end() > 0; // a number is used again after a crash
            if (isHeld && transactions.decisions().containsKey(number)) {
                continue;
            }
            boolean commits = isHeld && transactions.commits().contains(number);
            Transaction of = commits ? numbered(binlog, preparations.get(number)) : transaction;
            List<String> own = rows.remove(start(of));
            expected.addAll(own == null ? List.of() : own);
        }
        List<String> delivered = new ArrayList<>();
        for (Entry entry : other.entries()) {
            delivered.addAll(isRolledBack(binlog, entry) ? List.of() : rowsOf(entry));
            if (entry.kind() == EntryKind.ROWS) {
                assertThat(entry.changeId().offset())
                        .isLessThan(binlog.fileBytes(entry.changeId().file()));
            }
        }
        assertThat(delivered).as("seed %d", seed).isEqualTo(expected);
        try (Stream<Path> files = Files.list(directory)) {
            if (!transactions.decisions().containsValue(0L)) {
                assertThat(files).isEmpty();
            }
        }
    }

    private static List<String> rowsOf(Entry entry) throws Exception {
        if (entry.kind() != EntryKind.ROWS) {
            return List.of();
        }
        ByteWriter out = new ByteWriter(256);
        Encodings.writeProtobuf(entry, out);
        return List.of(RowChange.parseFrom(io.sluice.protocol.entry.Entry.parseFrom(out.toByteArray())
                        .getStoreValue())
                .toString());
    }

    private static void requireNothingLeft(SyntheticBinlog binlog, Cursor cursor) {
        for (Transaction transaction : binlog.transactions()) {
            BinlogPosition end = new BinlogPosition(transaction.file(), transaction.end());
            assertThat(cursor.position().isBefore(end) && transaction.end() > 0)
                    .as("%s after %s", transaction, cursor)
                    .isFalse();
        }
    }

    private static GtidSet empty(Flavour flavour) {
        return flavour.isMariaDb() ? MariaDbGtidSet.EMPTY : MySqlGtidSet.EMPTY;
    }

    /** A cut-off transaction at the end of the binlog is open still. */
    private static long lastBoundary(SyntheticBinlog binlog) {
        List<Transaction> all = binlog.transactions();
        Transaction last = all.isEmpty() ? null : all.get(all.size() - 1);
        boolean isOpen = last != null && last.end() < 0 && last.file().equals(binlog.newestFile());
        return isOpen ? last.start() : binlog.end();
    }

    private static void requireAllTransactions(SyntheticBinlog binlog, List<Entry> entries) {
        for (Entry entry : entries) {
            assertThat(transactionOf(binlog, entry))
                    .as("the transaction of %s", entry.changeId())
                    .isNotNull();
        }
    }

    private static Transaction transactionOf(SyntheticBinlog binlog, Entry entry) {
        ChangeId id = entry.changeId();
        Transaction found = null;
        for (Transaction transaction : binlog.transactions()) {
            if (transaction.file().equals(id.file()) && transaction.start() <= id.offset()) {
                found = transaction;
            }
        }
        return found;
    }

    private static void requireBetweenTransactions(SyntheticBinlog binlog, Cursor cursor, String what) {
        BinlogPosition position = cursor.position();
        String executed = "";
        for (Transaction transaction : binlog.transactions()) {
            boolean isSameFile = transaction.file().equals(position.file());
            boolean isCutOff = transaction.end() < 0;
            if (isSameFile && transaction.start() < position.offset()) {
                assertThat(!isCutOff && transaction.end() <= position.offset())
                        .as("within %s: %s", transaction, what)
                        .isTrue();
            }
            boolean isBefore = new BinlogPosition(transaction.file(), transaction.start()).isBefore(position);
            executed = isBefore && !isCutOff ? transaction.gtidsAfter() : executed;
        }
        assertThat(cursor.gtidSet()).as(what).isEqualTo(executed);
    }

    private static void requireNothingSkipped(
            SyntheticBinlog binlog, List<Entry> notAcked, Cursor cursor, String what) {
        for (Entry entry : notAcked) {
            Transaction transaction = transactionOf(binlog, entry);
            assertThat(start(transaction).isBefore(cursor.position()))
                    .as("%s is before the cursor: %s", entry.changeId(), what)
                    .isFalse();
        }
    }

    /** An XA transaction holds the cursor until its rows are acked, or its rollback was read. */
    private static void requireNoneUndecided(
            SyntheticBinlog binlog, Map<Long, Long> held, List<Entry> notAcked, Cursor cursor, String what) {
        held.forEach((prepared, decision) -> {
            Transaction decided = numbered(binlog, decision);
            boolean isOpen = decided == null
                    || notAcked.stream()
                            .anyMatch(entry -> transactionOf(binlog, entry).equals(decided));
            assertThat(isOpen && start(numbered(binlog, prepared)).isBefore(cursor.position()))
                    .as("an XA transaction is before the cursor, its decision is not: %s", what)
                    .isFalse();
        });
    }

    private static BinlogPosition start(Transaction transaction) {
        return new BinlogPosition(transaction.file(), transaction.start());
    }

    /** The transaction of a number, of which one that was cut off may have been the first; null for 0. */
    private static Transaction numbered(SyntheticBinlog binlog, long number) {
        return binlog.transactions().stream()
                .filter(transaction -> transaction.number() == number && transaction.end() > 0)
                .findFirst()
                .orElse(null);
    }

    /** A boundary, or the begin of the oldest XA transaction that is not decided there. */
    private static BinlogPosition beforeUndecided(
            SyntheticBinlog binlog, Map<Long, Long> held, BinlogPosition boundary) {
        BinlogPosition first = boundary;
        for (Map.Entry<Long, Long> each : held.entrySet()) {
            Transaction decided = numbered(binlog, each.getValue());
            BinlogPosition start = start(numbered(binlog, each.getKey()));
            boolean isOpen = decided == null || !start(decided).isBefore(boundary);
            first = isOpen && start.isBefore(first) ? start : first;
        }
        return first;
    }

    /** A cursor that never advanced would skip nothing either. */
    private static void requireClose(
            SyntheticBinlog binlog, Map<Long, Long> held, Entry lastAcked, Cursor cursor, String what) {
        if (lastAcked.isBoundary()) {
            Transaction transaction = transactionOf(binlog, lastAcked);
            BinlogPosition end = new BinlogPosition(transaction.file(), transaction.end());
            assertThat(cursor.position().isBefore(beforeUndecided(binlog, held, end)))
                    .as(what)
                    .isFalse();
        } else if (lastAcked.kind() == EntryKind.END) {
            assertThat(transactionOf(binlog, lastAcked).end())
                    .as("the end of XA: %s", what)
                    .isPositive();
        }
    }

    private static void requireRest(
            SyntheticBinlog binlog,
            Map<Long, Long> held,
            List<Entry> entries,
            Cursor cursor,
            Path files,
            Path spill,
            Random random,
            String what)
            throws Exception {
        Set<Transaction> decided = new HashSet<>(); // acked, though what decided on them is read again
        held.forEach((prepared, decision) -> {
            if (start(numbered(binlog, prepared)).isBefore(cursor.position())) {
                decided.add(numbered(binlog, decision));
            }
        });
        List<Entry> rest = entries.stream()
                .filter(entry -> {
                    Transaction transaction = transactionOf(binlog, entry);
                    return !start(transaction).isBefore(cursor.position()) && !decided.contains(transaction);
                })
                .toList();
        Reading byFile = new Reading(binlog, cursor.position(), null, files, spill, random);
        byFile.read(binlog.dump(cursor.position().file(), cursor.position().offset()));
        assertThat(ids(binlog, byFile.entries())).as("by file: %s", what).isEqualTo(ids(binlog, rest));
        if (binlog.flavour().hasGtids()) {
            GtidSet executed = cursor.gtidSet().isEmpty() ? empty(binlog.flavour()) : GtidSet.parse(cursor.gtidSet());
            Reading byGtid = new Reading(binlog, BinlogPosition.UNKNOWN, executed, files, spill, random);
            byGtid.read(binlog.dumpAfter(lastOf(executed)));
            assertThat(committed(binlog, byGtid.entries()))
                    .as("by GTID: %s", what)
                    .isEqualTo(committed(binlog, rest));
        }
    }

    private static long lastOf(GtidSet executed) {
        String text = executed.toString();
        return text.isEmpty()
                ? 0
                : Long.parseLong(text.substring(Math.max(text.lastIndexOf('-'), text.lastIndexOf(':')) + 1));
    }

    /** By GTID a server may send transactions that were cut off, which came before the position. */
    private static List<String> committed(SyntheticBinlog binlog, List<Entry> entries) {
        return ids(
                binlog,
                entries.stream()
                        .filter(entry -> transactionOf(binlog, entry).end() > 0)
                        .toList());
    }

    /**
     * All but the begins and ends of transactions with nothing else, which are left out now and then, and rows that were rolled
     * back, which come if they were handed on before.
     */
    private static List<String> ids(SyntheticBinlog binlog, List<Entry> all) {
        List<Entry> entries =
                all.stream().filter(entry -> !isRolledBack(binlog, entry)).toList();
        Map<String, Integer> changes = new HashMap<>();
        String transaction = "";
        List<String> transactions = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.kind() == EntryKind.BEGIN || transaction.isEmpty()) {
                transaction = entry.changeId().file() + entry.changeId().offset();
            }
            transactions.add(transaction);
            changes.merge(transaction, isChange(entry) ? 1 : 0, Integer::sum);
            transaction = entry.kind() == EntryKind.END || entry.kind() == EntryKind.DDL ? "" : transaction;
        }
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            ChangeId id = entries.get(i).changeId();
            if (changes.get(transactions.get(i)) > 0) {
                ids.add("%s:%d#%d+%d %s"
                        .formatted(
                                id.file(),
                                id.offset(),
                                id.sequence(),
                                id.row(),
                                entries.get(i).kind()));
            }
        }
        return ids;
    }

    private static boolean isRolledBack(SyntheticBinlog binlog, Entry entry) {
        return entry.kind() == EntryKind.ROWS
                && binlog.isRolledBack(entry.changeId().file(), entry.changeId().offset());
    }

    private static boolean isChange(Entry entry) {
        return entry.kind() != EntryKind.BEGIN && entry.kind() != EntryKind.END;
    }

    /** A reader with a store, of which entries are acked one by one. */
    private static final class Reading {
        private final SyntheticBinlog binlog;
        private final Random random;
        private final EntryRing ring = new EntryRing(new RingConfig(1 << 12, 1 << 16, false));
        private final EventReader reader;
        private final StreamPipeline pipeline;
        private final List<Entry> entries = new ArrayList<>();
        private final List<Batch> batches = new ArrayList<>();
        private Cursor newest;

        /** @param files of XA transactions that are held back; null to deliver them where they are prepared */
        Reading(SyntheticBinlog binlog, BinlogPosition start, GtidSet executed, Path files, Random random) {
            this(binlog, start, executed, files, null, random);
        }

        /** @param spill files of large transactions, which are held until they end; null to deliver them before */
        Reading(SyntheticBinlog binlog, BinlogPosition start, GtidSet executed, Path files, Path spill, Random random) {
            this.binlog = binlog;
            this.random = random;
            Map<String, String> definitions = new HashMap<>();
            for (SyntheticTable table : new RandomTransactions(binlog, random).tables()) {
                definitions.put(table.name(), table.createStatement());
            }
            SchemaTracker tracker = new SchemaTracker(name -> definitions.get(name.table()));
            TableFilter filter = new TableFilter("", "");
            StreamOptions options = StreamOptions.DEFAULT;
            if (files != null) {
                options = options.with(new XaHolding(files, random.nextInt(600)));
            }
            if (spill != null) {
                options = options.with(new TransactionSpill(spill, random.nextInt(600), 1 << 20));
            }
            reader = new EventReader(
                    SourceServer.at("db", 3306),
                    start,
                    null,
                    options,
                    tracker,
                    filter,
                    ColumnTypes.defaults(ZoneOffset.UTC),
                    ReaderOptions.DEFAULT);
            reader.startAt(new Boundary(SourceServer.at("db", 3306), start, executed, 7, 0, null, 0), false);
            pipeline = new StreamPipeline(
                    reader,
                    ring,
                    random.nextBoolean() ? new EncodingPool(Runnable::run) : null,
                    8,
                    false,
                    () -> {},
                    Time.SYSTEM);
        }

        /** Reads a connection until it breaks after these events. */
        void read(List<byte[]> dump) throws Exception {
            reader.onReconnect(dump.isEmpty() || hasChecksum(dump.get(0)), false);
            try {
                pipeline.read(new Dump(dump, random));
            } catch (ConnectionBroken e) {
                // as asked
            }
            pipeline.drain();
            for (Batch batch = next(); batch != null; batch = next()) {
                batches.add(batch);
                entries.addAll(batch.entries());
            }
        }

        private static boolean hasChecksum(byte[] rotate) {
            return rotate.length == 19 + 8 + "binlog.000001".length() + 4;
        }

        private @Nullable Batch next() {
            return ring.getIfReady(BatchLimit.entries(1), Readiness.ANY);
        }

        /** What a server sends after a new connection. */
        List<byte[]> resume() {
            BinlogPosition position = reader.resumePosition();
            GtidSet executed = reader.executed();
            return executed != null && random.nextBoolean()
                    ? binlog.dumpAfter(lastOf(executed))
                    : binlog.dump(position.file(), position.offset());
        }

        List<Entry> entries() {
            return List.copyOf(entries);
        }

        boolean ackNext() {
            if (batches.isEmpty()) {
                return false;
            }
            ring.ack(batches.remove(0));
            Cursor taken = ring.takeCursor();
            newest = taken == null ? newest : taken;
            return true;
        }

        Cursor cursor() {
            return newest;
        }

        Cursor cursorOfAll() {
            while (ackNext()) {}
            return newest;
        }
    }

    private static final class ConnectionBroken extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /** Events in pieces of any size, then a broken connection. */
    private static final class Dump implements EventSource {
        private final List<byte[]> events;
        private final Random random;
        private int next;

        Dump(List<byte[]> events, Random random) {
            this.events = events;
            this.random = random;
        }

        @Override
        public int next(ByteWriter out) throws IOException {
            if (next == events.size()) {
                throw new ConnectionBroken();
            }
            byte[] event = events.get(next++);
            out.write(event);
            return event.length;
        }

        @Override
        public boolean hasBuffered() {
            return next < events.size() && random.nextInt(3) > 0;
        }

        @Override
        public void close() {}
    }
}
