package io.sluice.connector.api.convert;

/** What a protobuf packet has beside the changes. canal's differ by how it was configured. */
public enum PacketStyle {
    /** Of a raw store: no version, the batch's id, the boundaries of transactions. */
    RAW(true, true),
    /** Of parsed entries: version 1, no batch id, the boundaries of transactions. */
    PARSED(false, true),
    /** Of parsed entries, without the boundaries of transactions, as always where entries are routed by table or row: version 1, no batch id. */
    PARSED_WITHOUT_BOUNDARIES(false, false);

    private final boolean hasBatchId;
    private final boolean hasBoundaries;

    PacketStyle(boolean hasBatchId, boolean hasBoundaries) {
        this.hasBatchId = hasBatchId;
        this.hasBoundaries = hasBoundaries;
    }

    boolean hasBoundaries() {
        return hasBoundaries;
    }

    PacketForm form(long batchId, int maxPacketBytes) {
        return hasBatchId ? PacketForm.ofBatch(batchId, maxPacketBytes) : PacketForm.ofVersion1(maxPacketBytes);
    }
}
