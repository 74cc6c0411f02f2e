package io.sluice.connector.api.convert;

import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.route.Router;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.store.entry.Entry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Makes records of flat JSON, one for each entry and partition that its rows go to, in the order of the entries. */
public final class RoutedFlatConverter implements BatchConverter {
    private final RowDealer dealer;
    private final ChangeHeaders headers;
    private final InstantSource clock;

    /**
     * Makes a converter.
     *
     * @param headers what the messages say of their changes
     * @param clock what field {@code ts} says, read once a batch
     */
    public RoutedFlatConverter(
            Router router, KeyChange keyChange, DdlPartition ddl, ChangeHeaders headers, InstantSource clock) {
        this(new RowDealer(router, false, keyChange, ddl), headers, clock);
    }

    private RoutedFlatConverter(RowDealer dealer, ChangeHeaders headers, InstantSource clock) {
        this.dealer = dealer;
        this.headers = headers;
        this.clock = clock;
    }

    @Override
    public BatchConverter singly() {
        return new RoutedFlatConverter(dealer.cuttingAll(), headers, clock);
    }

    @Override
    public List<OutgoingRecord> convert(long batchId, List<Entry> entries) {
        ByteWriter buffer = WorkerBuffer.take();
        long now = clock.millis();
        List<OutgoingRecord> records = new ArrayList<>(entries.size());
        RowDealer.Taker taker = (topic, partition, key, entry) -> {
            buffer.clear();
            if (entry.writeFlat(buffer, batchId, now)) {
                byte[] value = Arrays.copyOf(buffer.array(), buffer.size());
                Message message = new Message(topic, partition, key, value, headers.of(entry));
                records.add(new OutgoingRecord(message, entry, entry));
            }
        };
        for (Entry entry : entries) {
            dealer.deal(entry, taker);
        }
        return records;
    }
}
