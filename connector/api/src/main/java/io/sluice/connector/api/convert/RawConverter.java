package io.sluice.connector.api.convert;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.bytes.ByteWriter;
import java.util.List;

/**
 * Makes protobuf packets, each with as many of the batch's entries as fit: canal's raw form, of which there are two.
 *
 * <p>A batch that fits into the largest packet makes one record, as canal's always does. A larger one makes several, since a
 * broker refuses what is too large; entries are never split, so one that is too large goes alone and is the broker's to
 * judge.
 */
public final class RawConverter implements BatchConverter {
    private final Target target;
    private final int maxPacketBytes;
    private final boolean withBatchId;
    private final boolean withBorders;
    private final ChangeHeaders headers;
    private final ValueLimit limit;

    private RawConverter(
            Target target,
            int maxPacketBytes,
            boolean withBatchId,
            boolean withBorders,
            ChangeHeaders headers,
            ValueLimit limit) {
        if (maxPacketBytes < 1) {
            throw new IllegalArgumentException("the largest packet has less than one byte: " + maxPacketBytes);
        }
        this.target = target;
        this.maxPacketBytes = maxPacketBytes;
        this.withBatchId = withBatchId;
        this.withBorders = withBorders;
        this.headers = headers;
        this.limit = limit;
    }

    /**
     * What canal sends of a raw store: packets without a version, with the batch's id, with all entries.
     *
     * @param maxPacketBytes the size that a packet of more than one entry does not exceed
     */
    public static RawConverter ofRawEntries(Target target, int maxPacketBytes) {
        return new RawConverter(target, maxPacketBytes, true, true, ChangeHeaders.NONE, ValueLimit.NONE);
    }

    /**
     * What canal sends of parsed entries: packets of version 1, without a batch id.
     *
     * @param maxPacketBytes the size that a packet of more than one entry does not exceed
     * @param filterBorders whether the begins and ends of transactions are left out
     */
    public static RawConverter ofParsedEntries(Target target, int maxPacketBytes, boolean filterBorders) {
        return new RawConverter(target, maxPacketBytes, false, !filterBorders, ChangeHeaders.NONE, ValueLimit.NONE);
    }

    /** The same, whose messages say so much of their changes. */
    public RawConverter with(ChangeHeaders other) {
        return new RawConverter(target, maxPacketBytes, withBatchId, withBorders, other, limit);
    }

    /** The same, which makes no messages that are larger. */
    public RawConverter with(ValueLimit other) {
        return new RawConverter(target, maxPacketBytes, withBatchId, withBorders, headers, other);
    }

    @Override
    public BatchConverter singly() {
        return new RawConverter(target, 1, withBatchId, withBorders, headers, limit);
    }

    @Override
    public List<OutgoingRecord> convert(long batchId, List<Entry> entries) {
        PacketForm form =
                withBatchId ? PacketForm.ofBatch(batchId, maxPacketBytes) : PacketForm.ofVersion1(maxPacketBytes);
        WorkerBuffers buffers = WorkerBuffers.ofThisThread();
        ByteWriter buffer = buffers.take();
        PacketWriter writer = new PacketWriter(target.topic(), target.partition(), null, form, headers, limit, buffer);
        try {
            for (Entry entry : entries) {
                if (withBorders || (entry.kind() != EntryKind.BEGIN && entry.kind() != EntryKind.END)) {
                    writer.add(entry);
                }
            }
            writer.end();
            return writer.packets();
        } finally {
            buffers.giveBack(buffer);
        }
    }
}
