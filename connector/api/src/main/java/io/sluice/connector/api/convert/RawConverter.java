package io.sluice.connector.api.convert;

import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.store.entry.Entry;
import io.sluice.store.entry.EntryKind;
import java.util.List;

/**
 * Makes protobuf packets, each with as many of the batch's entries as fit: canal's raw form, of which there are two.
 *
 * <p>A batch that fits into the largest packet makes one record, as canal's always does. A larger one makes several, since a
 * broker refuses what is too large; entries are never split, so one that is too large goes alone and is the broker's to
 * judge.
 */
public final class RawConverter implements BatchConverter {
    static final byte BODY_TAG = 0x2a;

    private static final byte[] TYPE = {0x18, 0x07};
    private static final byte[] VERSION_AND_TYPE = {0x10, 0x01, 0x18, 0x07};
    private static final byte BATCH_ID_TAG = 0x08;

    private final Target target;
    private final int maxPacketBytes;
    private final boolean withBatchId;
    private final boolean withBorders;

    private RawConverter(Target target, int maxPacketBytes, boolean withBatchId, boolean withBorders) {
        if (maxPacketBytes < 1) {
            throw new IllegalArgumentException("the largest packet has less than one byte: " + maxPacketBytes);
        }
        this.target = target;
        this.maxPacketBytes = maxPacketBytes;
        this.withBatchId = withBatchId;
        this.withBorders = withBorders;
    }

    /**
     * What canal sends of a raw store: packets without a version, with the batch's id, with all entries.
     *
     * @param maxPacketBytes the size that a packet of more than one entry does not exceed
     */
    public static RawConverter ofRawEntries(Target target, int maxPacketBytes) {
        return new RawConverter(target, maxPacketBytes, true, true);
    }

    /**
     * What canal sends of parsed entries: packets of version 1, without a batch id.
     *
     * @param maxPacketBytes the size that a packet of more than one entry does not exceed
     * @param filterBorders whether the begins and ends of transactions are left out
     */
    public static RawConverter ofParsedEntries(Target target, int maxPacketBytes, boolean filterBorders) {
        return new RawConverter(target, maxPacketBytes, false, !filterBorders);
    }

    @Override
    public List<OutgoingRecord> convert(long batchId, List<Entry> entries) {
        PacketWriter writer = withBatchId
                ? new PacketWriter(target, TYPE, batchIdField(batchId), maxPacketBytes, WorkerBuffer.take())
                : new PacketWriter(target, VERSION_AND_TYPE, new byte[0], maxPacketBytes, WorkerBuffer.take());
        for (Entry entry : entries) {
            if (withBorders || (entry.kind() != EntryKind.BEGIN && entry.kind() != EntryKind.END)) {
                writer.add(entry);
            }
        }
        return writer.finish();
    }

    private static byte[] batchIdField(long batchId) {
        byte[] field = new byte[1 + ByteWriter.varintLength(batchId)];
        field[0] = BATCH_ID_TAG;
        ByteWriter.putVarint(field, 1, batchId);
        return field;
    }
}
