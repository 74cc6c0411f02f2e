package io.sluice.connector.api.convert;

import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.route.Router;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.bytes.TooManyBytesException;
import io.sluice.protocol.time.Time;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes records of flat JSON, one for each entry and partition that its rows go to, in the order of the entries. */
public final class RoutedFlatConverter implements BatchConverter {
    private final RowRouter rowRouter;
    private final ChangeHeaders headers;
    private final Time time;
    private final ValueLimit limit;

    /**
     * Makes a converter.
     *
     * @param headers what the messages say of their changes
     * @param time what field {@code ts} says, read once a batch
     */
    public RoutedFlatConverter(Router router, KeyChange keyChange, DdlPartition ddl, ChangeHeaders headers, Time time) {
        this(new RowRouter(router, false, keyChange, ddl), headers, time, ValueLimit.NONE);
    }

    private RoutedFlatConverter(RowRouter rowRouter, ChangeHeaders headers, Time time, ValueLimit limit) {
        this.limit = limit;
        this.rowRouter = rowRouter;
        this.headers = headers;
        this.time = time;
    }

    /** The same, which makes no messages that are larger. */
    public RoutedFlatConverter with(ValueLimit other) {
        return new RoutedFlatConverter(rowRouter, headers, time, other);
    }

    @Override
    public BatchConverter forBatch() {
        RowRouter pinned = rowRouter.pinned();
        return pinned == rowRouter ? this : new RoutedFlatConverter(pinned, headers, time, limit);
    }

    @Override
    public BatchConverter singly() {
        return new RoutedFlatConverter(rowRouter.cuttingAll(), headers, time, limit);
    }

    @Override
    public List<OutgoingRecord> convert(long batchId, List<Entry> entries) {
        WorkerBuffers buffers = WorkerBuffers.ofThisThread();
        ByteWriter buffer = buffers.take();
        long now = time.millis();
        List<OutgoingRecord> records = new ArrayList<>(entries.size());
        RowRouter.Taker taker = (topic, partition, key, entry) -> {
            buffer.clear();
            limit.begin(buffer);
            try {
                if (entry.writeFlat(buffer, batchId, now)) {
                    byte[] value = Arrays.copyOf(buffer.array(), buffer.size());
                    Message message = new Message(topic, partition, key, value, headers.of(entry));
                    records.add(OutgoingRecord.of(message, entry));
                }
            } catch (TooManyBytesException e) {
                records.add(refusal(topic, partition, key, entry, e));
            }
        };
        try {
            for (Entry entry : entries) {
                try {
                    rowRouter.deal(entry, taker);
                } catch (TooManyBytesException e) { // its rows cannot be told apart, so their partition is unknown
                    records.add(refusal(rowRouter.topicOf(entry), 0, null, entry, e));
                }
            }
            return records;
        } finally {
            buffers.giveBack(buffer);
        }
    }

    private OutgoingRecord refusal(
            String topic, int partition, byte @Nullable [] key, Entry entry, TooManyBytesException cause) {
        return limit.refusal(new Message(topic, partition, key, ValueLimit.noValue(), headers.of(entry)), entry, cause);
    }
}
