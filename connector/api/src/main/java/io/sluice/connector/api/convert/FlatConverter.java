package io.sluice.connector.api.convert;

import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.store.entry.Entry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Makes one record of flat JSON for each entry that has that form: every one but the borders of transactions. */
public final class FlatConverter implements BatchConverter {
    private final Target target;
    private final ChangeHeaders headers;
    private final InstantSource clock;

    /**
     * Makes a converter for one target, of messages without headers.
     *
     * @param clock what field {@code ts} says, read once a batch
     */
    public FlatConverter(Target target, InstantSource clock) {
        this(target, ChangeHeaders.NONE, clock);
    }

    /**
     * Makes a converter for one target.
     *
     * @param headers what the messages say of their changes
     * @param clock what field {@code ts} says, read once a batch
     */
    public FlatConverter(Target target, ChangeHeaders headers, InstantSource clock) {
        this.target = target;
        this.headers = headers;
        this.clock = clock;
    }

    @Override
    public List<OutgoingRecord> convert(long batchId, List<Entry> entries) {
        ByteWriter buffer = WorkerBuffer.take();
        long now = clock.millis();
        List<OutgoingRecord> records = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            buffer.clear();
            if (entry.writeFlat(buffer, batchId, now)) {
                byte[] value = Arrays.copyOf(buffer.array(), buffer.size());
                records.add(new OutgoingRecord(target.message(value, headers.of(entry)), entry, entry));
            }
        }
        return records;
    }
}
