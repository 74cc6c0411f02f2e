package io.sluice.connector.api.convert;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.RowCut;
import io.sluice.format.entry.RowPieces;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.bytes.TooManyBytesException;
import io.sluice.protocol.time.Time;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Makes one record of flat JSON for each entry that has that form: every one but the borders of transactions. */
public final class FlatConverter implements BatchConverter {
    private static final RowCut UNKEYED = new RowCut(null, null, false, false);

    private final Target target;
    private final ChangeHeaders headers;
    private final Time time;
    private final boolean cutsRows;
    private final ValueLimit limit;

    /**
     * Makes a converter for one target, of messages without headers.
     *
     * @param time what field {@code ts} says, read once a batch
     */
    public FlatConverter(Target target, Time time) {
        this(target, ChangeHeaders.NONE, time);
    }

    /**
     * Makes a converter for one target.
     *
     * @param headers what the messages say of their changes
     * @param time what field {@code ts} says, read once a batch
     */
    public FlatConverter(Target target, ChangeHeaders headers, Time time) {
        this(target, headers, time, false, ValueLimit.NONE);
    }

    private FlatConverter(Target target, ChangeHeaders headers, Time time, boolean cutsRows, ValueLimit limit) {
        this.limit = limit;
        this.target = target;
        this.headers = headers;
        this.time = time;
        this.cutsRows = cutsRows;
    }

    /** The same, which makes no messages that are larger. */
    public FlatConverter with(ValueLimit other) {
        return new FlatConverter(target, headers, time, cutsRows, other);
    }

    @Override
    public BatchConverter singly() {
        return new FlatConverter(target, headers, time, true, limit);
    }

    @Override
    public List<OutgoingRecord> convert(long batchId, List<Entry> entries) {
        WorkerBuffers buffers = WorkerBuffers.ofThisThread();
        ByteWriter buffer = buffers.take();
        long now = time.millis();
        List<OutgoingRecord> records = new ArrayList<>(entries.size());
        try {
            for (Entry entry : entries) {
                if (cutsRows && entry.rowCount() > 1) {
                    RowPieces rows = entry.pieces(UNKEYED);
                    for (int row = 0; row < rows.count(); row++) {
                        convert(batchId, rows.entryOf(row), now, buffer, records);
                    }
                } else {
                    convert(batchId, entry, now, buffer, records);
                }
            }
            return records;
        } finally {
            buffers.giveBack(buffer);
        }
    }

    private void convert(long batchId, Entry entry, long now, ByteWriter buffer, List<OutgoingRecord> records) {
        buffer.clear();
        limit.begin(buffer);
        try {
            if (entry.writeFlat(buffer, batchId, now)) {
                byte[] value = Arrays.copyOf(buffer.array(), buffer.size());
                records.add(OutgoingRecord.of(target.message(value, headers.of(entry)), entry));
            }
        } catch (TooManyBytesException e) {
            records.add(limit.refusal(target.message(ValueLimit.noValue(), headers.of(entry)), entry, e));
        }
    }
}
