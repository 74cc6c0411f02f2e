package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.OutgoingRecord;
import io.sluice.format.entry.ChangeId;
import io.sluice.format.entry.Entry;
import io.sluice.store.ring.Batch;
import java.util.List;

/** Cuts a record that is too large for the broker into the records of its single entries and rows. */
final class RecordPieces {
    private RecordPieces() {}

    /**
     * What a record of a batch carries, in records as small as can be, in their order; itself if it cannot be cut.
     *
     * <p>The batch is converted once more, and they are found among those of the record's lane by the changes that they begin with,
     * since the order is the same.
     *
     * @param own the converter that has made the record
     * @throws IllegalStateException if they do not carry exactly the changes of the record
     */
    static List<OutgoingRecord> of(Batch batch, BatchConverter own, OutgoingRecord record) {
        Lane lane = Lane.of(record.message());
        List<OutgoingRecord> singles = own.singly().convert(batch.id(), batch.entries()).stream()
                .filter(single -> Lane.of(single.message()).equals(lane))
                .toList();
        int begin = indexOf(record.first(), singles, 0);
        int last = begin < 0 ? -1 : indexOf(record.last(), singles, begin);
        if (last < 0) {
            throw mismatch(record, 0);
        }
        int rows = record.last().rowCount();
        boolean isCut = rows > 1 && singles.get(last).first().rowCount() < rows;
        List<OutgoingRecord> pieces = singles.subList(begin, Math.min(singles.size(), isCut ? last + rows : last + 1));
        int changes = pieces.stream().mapToInt(OutgoingRecord::changes).sum();
        if (changes != record.changes()) {
            throw mismatch(record, changes);
        }
        return pieces;
    }

    private static IllegalStateException mismatch(OutgoingRecord record, int found) {
        ChangeId first = record.first().changeId();
        ChangeId last = record.last().changeId();
        return new IllegalStateException(
                ("a message that is too large, %s:%d to %s:%d for topic %s, partition %d, has %d changes, but %d of them were found to"
                                + " send them one by one: this is a defect, report it; raise the broker's limit to continue without")
                        .formatted(
                                first.file(),
                                first.offset(),
                                last.file(),
                                last.offset(),
                                record.message().topic(),
                                record.message().partition(),
                                record.changes(),
                                found));
    }

    /** The first record, from one on, that begins where an entry begins; negative if there is none. */
    private static int indexOf(Entry entry, List<OutgoingRecord> records, int from) {
        ChangeId sought = entry.changeId();
        for (int i = from; i < records.size(); i++) {
            ChangeId found = records.get(i).first().changeId();
            if (found.offset() == sought.offset()
                    && found.row() == sought.row()
                    && found.part() == sought.part()
                    && found.sequence() == sought.sequence()
                    && found.file().equals(sought.file())
                    && found.serverId() == sought.serverId()) {
                return i;
            }
        }
        return -1;
    }
}
