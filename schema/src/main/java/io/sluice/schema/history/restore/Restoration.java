package io.sluice.schema.history.restore;

import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.StatementApplier;
import io.sluice.schema.ddl.catalog.DoubtfulNames;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.SchemaState;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.filter.FilterRules;
import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.schema.history.rows.HistoryRow;
import io.sluice.schema.history.rows.HistorySnapshot;
import io.sluice.schema.history.rows.HistoryTables;
import io.sluice.schema.history.rows.RowSelection;
import io.sluice.schema.history.rows.SkippedPart;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.schema.table.TableName;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Restores the table schemas of one position in a tracker: those of the newest snapshot that is not after it, with the rows between both.
 *
 * <p>Rows are read one after the other; only what the stream may need is kept of those that were applied and of those after the position.
 * For one thread, and once.
 */
public final class Restoration {
    private static final SchemaState NO_TABLES = new SchemaState(Map.of(), Map.of());

    /** By how many tables those in memory grow until it is checked whether there is room for more. */
    private static final int TABLES_PER_CHECK = 256;

    private final HistoryTables tables;
    private final HistoryBeginnings beginnings;
    private final TableCatalog catalog;
    private final StatementApplier statements;
    private final StreamStart start;
    private final long referredId;
    private final RecalledDefinitions recalled = new RecalledDefinitions();
    private final AppliedStatements applied = new AppliedStatements();
    private RowsOfCanal ofCanal = new RowsOfCanal(null);
    /** The binlog from which each statement was taken, if there are several. */
    private final Map<Digest, String> binlogOf = new HashMap<>();

    /** The file in which each statement that has a GTID was found first. */
    private final Map<Digest, String> fileOf = new HashMap<>();
    /** The statements in the second of the snapshot that it has, from its own binlog; in others their time does not show it. */
    private final Set<Digest> inSnapshot = new HashSet<>();

    private RowSelection selection = RowSelection.ALL;
    private @Nullable RecalledDefinitions all;
    private @Nullable HistorySnapshot base;
    /** The snapshot with which the history begins, if the position is before that: the schemas are those. Null if it is not. */
    private @Nullable HistorySnapshot beginning;
    /** Whether nothing is applied to the schemas with which the history begins: in which order it would be is not known. */
    private boolean isOfBeginning;

    private SkippedPart skipped = SkippedPart.NONE;
    private @Nullable FilterRules filter;
    private String source = "";
    private long epoch;
    /** What the source has lost since of the part after the position, by the files of which it has lost the ends. */
    private final Map<String, LostNames> lost = new HashMap<>();

    private int rowsSinceBase;
    private int rowsApplied;
    private int tablesAtNextCheck = TABLES_PER_CHECK;
    private long lastId;

    /** What is in doubt from the first lost statement of a file on. */
    private record LostNames(BinlogPosition from, DoubtfulNames names) {
        LostNames and(LostNames other) {
            return new LostNames(other.from.isBefore(from) ? other.from : from, names.and(other.names));
        }
    }

    /** @param referredId the row to which the cursor at the start refers; 0 if there is none, or it does not count */
    public Restoration(
            HistoryTables tables,
            HistoryBeginnings beginnings,
            SchemaTracker tracker,
            StreamStart start,
            long referredId) {
        this.tables = tables;
        this.beginnings = beginnings;
        this.catalog = tracker.catalog();
        this.statements = tracker.statements();
        this.start = start;
        this.referredId = referredId;
    }

    /**
     * Restores the table schemas.
     *
     * @throws IOException if the database cannot be reached, or the thread was interrupted
     */
    public RestoredSchemas run() throws IOException {
        skipped = beginnings.skippedBefore(start, referredId);
        HistorySnapshot snapshot = newestUsable();
        if (snapshot == null || snapshot.position().isFirst()) {
            beginning = beginnings.beginningAfter(start, skipped);
            isOfBeginning = beginning != null && !beginning.position().isOfSameBinlog(start);
            snapshot = isOfBeginning ? beginning : snapshot;
        }
        base = snapshot;
        ofCanal = new RowsOfCanal(snapshot);
        restoreSnapshot(snapshot);
        lastId = snapshot == null ? 0 : snapshot.id();
        selection = selection(snapshot);
        OrderedRows rows = rows();
        if (snapshot != null && rows.hasOthersThan(snapshot.position().source())) {
            findWhatIsInSecondOf(snapshot);
        }
        rows.forEach(row -> take(row, rows.hasSeveralBinlogs()));
        lost.values().forEach(end -> catalog.doubtFrom(end.from(), end.names()));
        if (rowsApplied > 0) {
            requireRoom();
        }
        return new RestoredSchemas(
                tables, filter, whereHistoryBegins(), skipped, beginnings.returns(start, referredId));
    }

    private @Nullable HistoryBeginning whereHistoryBegins() {
        HistorySnapshot snapshot = beginning;
        if (snapshot == null) {
            return null;
        }
        HistoryPosition begins = snapshot.position();
        return new HistoryBeginning(
                begins.isOfSameBinlog(start) ? new BinlogPosition(begins.file(), begins.offset()) : null,
                begins.timeMillis());
    }

    private void restoreSnapshot(@Nullable HistorySnapshot snapshot) throws IOException {
        if (snapshot == null) {
            catalog.restore(NO_TABLES);
            return;
        }
        catalog.restore(NO_TABLES); // those of before are not beside the text
        try {
            SchemaState state = tables.snapshots().state(snapshot, catalog.heap());
            filter = SnapshotFilter.of(state);
            catalog.restore(state);
        } catch (IllegalArgumentException e) {
            throw tables.snapshots().unreadable(snapshot, e);
        } catch (ResultTooLargeException e) {
            throw tables.snapshots().tooLarge(e);
        }
        tablesAtNextCheck = catalog.tables().count() + TABLES_PER_CHECK;
    }

    /** Rows may make any number of tables, of which the next snapshot has to have room in the heap, too. */
    private void requireRoom() throws IOException {
        try {
            catalog.requireRoom();
        } catch (ResultTooLargeException e) {
            throw tables.snapshots().tooLarge(e);
        }
        int count = catalog.tables().count();
        tablesAtNextCheck = count + Math.max(TABLES_PER_CHECK, count / 16);
    }

    private OrderedRows rows() throws IOException {
        return new OrderedRows(tables, selection, start.order(), position -> isToApply(position) || isToCome(position));
    }

    private void findWhatIsInSecondOf(HistorySnapshot snapshot) throws IOException {
        String of = snapshot.position().source();
        new OrderedRows(
                        tables,
                        selection,
                        start.order(),
                        position -> position.source().equals(of)
                                && position.timeMillis() == snapshot.position().timeMillis()
                                && snapshot.covers(position, start.order()))
                .forEach(row -> inSnapshot.add(transactionOf(row)));
    }

    /**
     * The recorded definitions of tables after any of the rows to apply, for a statement that needs an unknown table, such as {@code
     * CREATE TABLE .. LIKE}. That is rare, so it is read only then.
     */
    public RecalledDefinitions all() throws IOException {
        RecalledDefinitions known = all;
        if (known == null) {
            RecalledDefinitions read = new RecalledDefinitions();
            rows().forEach(row -> read.add(row, touched(row)));
            all = read;
            return read;
        }
        return known;
    }

    private Set<TableName> touched(HistoryRow row) {
        return row.isDefinition() ? Set.of() : statements.reader().touched(row.text(), row.useSchema(), row.mode());
    }

    private @Nullable HistorySnapshot newestUsable() throws IOException {
        HistorySnapshot newest = null;
        for (HistorySnapshot snapshot : tables.snapshots().all()) {
            if (snapshot.id() >= skipped.id()
                    && snapshot.isAtOrBefore(start)
                    && (newest == null || snapshot.isNewer(newest, start.order()))) {
                newest = snapshot;
            }
        }
        return newest;
    }

    private RowSelection selection(@Nullable HistorySnapshot snapshot) throws IOException {
        return snapshot == null
                        || snapshot.position().isFirst()
                        || snapshot.id() <= tables.identity().numberedApart()
                ? RowSelection.ALL
                : RowSelection.beside(snapshot, skipped);
    }

    private boolean isToApply(HistoryPosition position) throws IOException {
        return !isOfBeginning && position.isBefore(start) && (base == null || !base.covers(position, start.order()));
    }

    private boolean isToCome(HistoryPosition position) throws IOException {
        return position.mayComeAfter(start) || !position.isBefore(start);
    }

    private void take(HistoryRow row, boolean fromSeveralBinlogs) throws IOException {
        if (isToCome(row.position())) {
            recalled.add(row, touched(row));
            if (row.isLost() && row.position().isOfSameBinlog(start)) {
                BinlogPosition from =
                        new BinlogPosition(row.position().file(), row.position().offset());
                LostNames names = new LostNames(from, LostPart.namesOf(row, statements.reader()));
                lost.merge(from.file(), names, LostNames::and);
            }
        }
        if (isToApply(row.position())) {
            rowsSinceBase++;
            lastId = Math.max(lastId, row.id());
            if (row.isLost()) { // also if the same statement is in another binlog, which has its own row
                catalog.doubt(LostPart.namesOf(row, statements.reader()));
            } else if (!isInSnapshot(row) && !(fromSeveralBinlogs && wasTakenFromAnother(row)) && !wasGotAgain(row)) {
                apply(row);
                applied.add(row, start);
                ofCanal.add(row);
                rowsApplied++;
                if (catalog.tables().count() > tablesAtNextCheck) {
                    requireRoom();
                }
            }
        }
    }

    /** Whether it is the same transaction, read from another binlog. */
    private boolean wasTakenFromAnother(HistoryRow row) {
        if (row.isDefinition()) {
            return false;
        }
        String binlog = row.position().binlog();
        String first = binlogOf.putIfAbsent(transactionOf(row), binlog);
        return first != null && !first.equals(binlog);
    }

    /** Whether it is the same transaction, which the server has got again, into a later file, after it had lost the end of an earlier one. */
    private boolean wasGotAgain(HistoryRow row) {
        if (row.isDefinition() || row.extra().get(HistoryRow.GTID) == null) {
            return false;
        }
        String file = row.position().file();
        String first = fileOf.putIfAbsent(transactionOf(row), file);
        return first != null && !first.equals(file);
    }

    private boolean isInSnapshot(HistoryRow row) {
        HistorySnapshot snapshot = base;
        return snapshot != null
                && !inSnapshot.isEmpty()
                && !row.isDefinition()
                && !row.position().source().equals(snapshot.position().source())
                && inSnapshot.contains(transactionOf(row));
    }

    /** A key of a statement's transaction, equal in the binlogs of all servers. */
    private static Digest transactionOf(HistoryRow row) {
        String gtid = row.extra().get(HistoryRow.GTID);
        String when = gtid == null ? Long.toString(row.position().timeMillis()) : gtid;
        return Digest.of(when, row.useSchema(), row.text());
    }

    private void apply(HistoryRow row) throws IOException {
        HistoryPosition position = row.position();
        source = position.source();
        epoch = position.epoch();
        catalog.moveTo(new EventPosition(
                position.file(),
                position.offset(),
                (int) Math.max(1, row.end().orElse(0) - position.offset()),
                serverId(position),
                position.timeMillis(),
                row.extra().get(HistoryRow.GTID)));
        if (row.isDefinition()) {
            catalog.define(new TableName(row.sqlSchema(), row.sqlTable()), row.text());
        } else {
            statements.replay(row.ddl());
        }
    }

    private static long serverId(HistoryPosition position) {
        try {
            return Long.parseLong(position.masterId());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** The server in whose binlog the row is that is applied; empty if its row does not state it. */
    public String source() {
        return source;
    }

    /** Which of its binlogs that is. */
    public long epoch() {
        return epoch;
    }

    /** The snapshot that it began with; null if there was none. */
    public @Nullable HistorySnapshot base() {
        return base;
    }

    /** What the stream may read again from the position on. */
    public ReadAgain readAgain() {
        return new ReadAgain(recalled, applied, ofCanal);
    }

    /** The number of rows between the snapshot and the position. */
    public int rowsSinceBase() {
        return rowsSinceBase;
    }

    /** The number of rows that were applied. */
    public int rowsApplied() {
        return rowsApplied;
    }

    /** The newest id of the snapshot and of the rows between it and the position. */
    public long lastId() {
        return lastId;
    }
}
