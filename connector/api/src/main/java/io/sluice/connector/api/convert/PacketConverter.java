package io.sluice.connector.api.convert;

import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.api.route.Router;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.bytes.TooManyBytesException;
import java.util.List;
import java.util.Map;

/**
 * Makes protobuf packets for each topic and partition that a batch has entries for; each row that goes by a key is an entry of its own,
 * as canal makes it.
 *
 * <p>A packet that would be too large is split into several, since a broker rejects it otherwise; entries are not split for that, so one
 * that is too large is sent alone, and the broker may reject it. Rows with different message keys are in different packets.
 */
public final class PacketConverter implements BatchConverter {
    private final RowRouter rowRouter;
    private final PacketStyle style;
    private final int maxPacketBytes;
    private final ChangeHeaders headers;
    private final Workspaces workspaces;
    private final ValueLimit limit;

    /**
     * Makes a converter of messages of any size.
     *
     * @param style with boundaries of transactions only if the router {@linkplain Router#isFixed is fixed}: their rows may be in
     *     several topics and partitions
     * @param maxPacketBytes the size that a packet of more than one entry does not exceed
     * @param headers the headers that identify the changes
     * @param workspaces those of the protobuf format
     */
    public PacketConverter(
            Router router,
            KeyChange keyChange,
            DdlPartition ddl,
            PacketStyle style,
            int maxPacketBytes,
            ChangeHeaders headers,
            Workspaces workspaces) {
        this(
                new RowRouter(router, true, style.hasBoundaries(), keyChange, ddl),
                style,
                requirePositive(maxPacketBytes),
                headers,
                workspaces,
                ValueLimit.NONE);
    }

    private static int requirePositive(int maxPacketBytes) {
        if (maxPacketBytes < 1) {
            throw new IllegalArgumentException("the largest packet has less than one byte: " + maxPacketBytes);
        }
        return maxPacketBytes;
    }

    private PacketConverter(
            RowRouter rowRouter,
            PacketStyle style,
            int maxPacketBytes,
            ChangeHeaders headers,
            Workspaces workspaces,
            ValueLimit limit) {
        this.rowRouter = rowRouter;
        this.style = style;
        this.maxPacketBytes = maxPacketBytes;
        this.headers = headers;
        this.workspaces = workspaces;
        this.limit = limit;
    }

    /** Returns a converter with the given size limit, which replaces each message that is larger by a rejection. */
    public PacketConverter with(ValueLimit other) {
        return new PacketConverter(rowRouter, style, maxPacketBytes, headers, workspaces, other);
    }

    @Override
    public BatchConverter forBatch() {
        RowRouter pinned = rowRouter.pinned();
        return pinned == rowRouter
                ? this
                : new PacketConverter(pinned, style, maxPacketBytes, headers, workspaces, limit);
    }

    @Override
    public BatchConverter singly() {
        return new PacketConverter(rowRouter, style, 1, headers, workspaces, limit);
    }

    @Override
    public Map<String, PartitionsUnknownException> unavailable() {
        return rowRouter.unavailable();
    }

    @Override
    public List<OutgoingMessage> convert(long batchId, List<Entry> entries) {
        return workspaces.with(workspace -> convert(style.form(batchId, maxPacketBytes), entries, workspace));
    }

    private List<OutgoingMessage> convert(PacketForm form, List<Entry> entries, Workspace workspace) {
        PacketSorter sorter = new PacketSorter(form, headers, limit, workspace);
        for (Entry entry : entries) {
            try {
                rowRouter.deal(entry, workspace.splitter(), sorter);
            } catch (TooManyBytesException e) { // its rows cannot be separated, so their partition is unknown
                sorter.reject(rowRouter.topicOf(entry), 0, null, entry, e);
            }
        }
        return sorter.finish();
    }
}
