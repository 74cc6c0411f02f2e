package io.sluice.connector.api.convert;

import io.sluice.connector.api.route.Router;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.bytes.TooManyBytesException;
import java.util.List;

/**
 * Makes protobuf packets of version 1, without a batch id, for each topic and partition that a batch has entries for; each
 * row that goes by a key is an entry of its own, as canal makes it.
 *
 * <p>A packet that would be too large is made several; rows with different message keys are in different packets.
 */
public final class RoutedRawConverter implements BatchConverter {
    private final RowRouter rowRouter;
    private final int maxPacketBytes;
    private final ChangeHeaders headers;
    private final ValueLimit limit;

    /**
     * Makes a converter.
     *
     * @param maxPacketBytes the size that a packet of more than one entry does not exceed
     * @param headers what the messages say of their changes
     */
    public RoutedRawConverter(
            Router router, KeyChange keyChange, DdlPartition ddl, int maxPacketBytes, ChangeHeaders headers) {
        this(new RowRouter(router, true, keyChange, ddl), maxPacketBytes, headers, ValueLimit.NONE);
    }

    private RoutedRawConverter(RowRouter rowRouter, int maxPacketBytes, ChangeHeaders headers, ValueLimit limit) {
        this.limit = limit;
        this.rowRouter = rowRouter;
        this.maxPacketBytes = maxPacketBytes;
        this.headers = headers;
    }

    /** The same, which makes no messages that are larger. */
    public RoutedRawConverter with(ValueLimit other) {
        return new RoutedRawConverter(rowRouter, maxPacketBytes, headers, other);
    }

    @Override
    public BatchConverter forBatch() {
        RowRouter pinned = rowRouter.pinned();
        return pinned == rowRouter ? this : new RoutedRawConverter(pinned, maxPacketBytes, headers, limit);
    }

    @Override
    public BatchConverter singly() {
        return new RoutedRawConverter(rowRouter, 1, headers, limit);
    }

    @Override
    public List<OutgoingRecord> convert(long batchId, List<Entry> entries) {
        PacketSorter sorter =
                new PacketSorter(PacketForm.ofVersion1(maxPacketBytes), headers, limit, WorkerBuffers.ofThisThread());
        for (Entry entry : entries) {
            try {
                rowRouter.deal(entry, sorter);
            } catch (TooManyBytesException e) { // its rows cannot be told apart, so their partition is unknown
                sorter.refuse(rowRouter.topicOf(entry), 0, null, entry, e);
            }
        }
        return sorter.finish();
    }
}
