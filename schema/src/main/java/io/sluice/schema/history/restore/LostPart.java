package io.sluice.schema.history.restore;

import io.sluice.schema.ddl.DdlReader;
import io.sluice.schema.ddl.catalog.DoubtfulNames;
import io.sluice.schema.history.rows.HistoryFileKey;
import io.sluice.schema.history.rows.HistoryRow;
import io.sluice.schema.history.rows.HistorySnapshot;
import io.sluice.schema.history.rows.HistoryTables;
import io.sluice.schema.table.TableName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a history has of the end of a binlog file that the source has lost.
 *
 * @param rows that are not marked as lost yet
 * @param snapshots that were made within that end, and may have what the statements there did
 * @param hasBeginning whether one of these is needed: the history begins there, so what it has of tables says nothing about what the source has kept
 */
public record LostPart(List<HistoryRow> rows, List<HistorySnapshot> snapshots, boolean hasBeginning) {
    public LostPart {
        rows = List.copyOf(rows);
        snapshots = List.copyOf(snapshots);
    }

    /**
     * Reads what a history has beyond the end of a file.
     *
     * @param source the identity of the server
     * @param epoch which binlog of it, from reset to reset
     * @param end where the file ends now
     */
    public static LostPart of(HistoryTables tables, String source, long epoch, String file, long end)
            throws IOException {
        List<HistoryRow> rows = new ArrayList<>();
        HistoryScan scan = new HistoryScan(tables);
        for (HistoryFileKey key : scan.filesNewestFirst()) {
            if (key.file().equals(file)) {
                scan.forEachBackwards(key, row -> {
                    boolean isBeyond = row.end().orElse(row.position().offset() + 1) > end;
                    boolean isIn = row.position().isIn(source, epoch);
                    if (isBeyond && isIn && !row.isLost()) {
                        rows.addAll(tables.rows().read(row.id() - 1, row.id(), 1));
                    }
                    return isBeyond || !isIn; // only in one binlog are the ends in the order of the offsets
                });
            }
        }
        List<HistorySnapshot> snapshots = new ArrayList<>();
        boolean hasOther = false;
        boolean hasBeginning = false;
        for (HistorySnapshot snapshot : tables.snapshots().all()) {
            boolean isBeyond = snapshot.position().isIn(source, epoch)
                    && snapshot.position().file().equals(file)
                    && snapshot.position().offset() > end;
            if (isBeyond) {
                snapshots.add(snapshot);
                hasBeginning |= snapshot.beginning() > 0;
            } else {
                hasOther = true;
            }
        }
        return new LostPart(rows, snapshots, hasBeginning || !snapshots.isEmpty() && !hasOther);
    }

    /**
     * Returns what is lost of it where the source has some of the transactions nevertheless. A snapshot that was made after what is lost is, too.
     *
     * @param isRowKept whether the source has the transaction of a row
     * @param isSnapshotKept whether it has what a snapshot was made after
     */
    public LostPart without(Predicate<HistoryRow> isRowKept, Predicate<HistorySnapshot> isSnapshotKept) {
        List<HistoryRow> lostRows = rows.stream().filter(isRowKept.negate()).toList();
        List<HistorySnapshot> lostSnapshots = snapshots.stream()
                .filter(snapshot -> !isSnapshotKept.test(snapshot)
                        || lostRows.stream()
                                .anyMatch(row -> row.position().offset()
                                        < snapshot.position().offset()))
                .toList();
        boolean isBeginning = lostSnapshots.stream().anyMatch(snapshot -> snapshot.beginning() > 0);
        return new LostPart(
                lostRows,
                lostSnapshots,
                isBeginning || hasBeginning && !lostSnapshots.isEmpty() && lostSnapshots.size() == snapshots.size());
    }

    /** Whether the history has nothing of that end, or all of it is marked. */
    public boolean isEmpty() {
        return rows.isEmpty() && snapshots.isEmpty();
    }

    /** The tables whose schemas the lost statements may have changed; a schema whose tables are all concerned is one with an empty name. */
    public Set<TableName> tables(DdlReader reader) {
        Set<TableName> tables = new HashSet<>();
        rows.forEach(row -> tables.addAll(namesOf(row, reader).tables()));
        return tables;
    }

    /** What may be as before or after the event of a lost row. */
    static DoubtfulNames namesOf(HistoryRow row, DdlReader reader) {
        return row.isDefinition()
                ? new DoubtfulNames(Set.of(new TableName(row.sqlSchema(), row.sqlTable())), Set.of())
                : new DoubtfulNames(
                        reader.touched(row.text(), row.useSchema(), row.mode()),
                        Set.copyOf(reader.changedDefaults(row.text(), row.useSchema(), row.mode())));
    }
}
