package io.sluice.connector.api.convert;

import io.sluice.connector.api.TextForm;
import io.sluice.connector.api.route.Router;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.flat.FlatFormat;
import io.sluice.format.message.BatchOrigin;
import io.sluice.format.message.MessageFormat.Unit;
import io.sluice.format.protobuf.ProtobufFormat;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.time.Time;

/**
 * Makes converters of canal's two formats.
 *
 * @param flat for messages of an entry each
 * @param packets for packets
 */
public record Converters(Workspaces flat, Workspaces packets) {
    /** For entries of binlogs. */
    public static final Converters OF_BINLOG =
            new Converters(new Workspaces(new FlatFormat()), new Workspaces(new ProtobufFormat()));

    /** For entries that are texts. */
    public static final Converters OF_TEXTS = new Converters(
            new Workspaces(
                    Unit.ENTRY, () -> Converters::encodeFlat, () -> (entry, cut) -> ((KeyedEntry) entry).pieces(cut)),
            new Workspaces(
                    Unit.PACKET, () -> Converters::encode, () -> (entry, cut) -> ((KeyedEntry) entry).pieces(cut)));

    private static boolean encodeFlat(Entry entry, BatchOrigin batch, ByteWriter out) {
        boolean isBoundary = entry.kind() == EntryKind.BEGIN || entry.kind() == EntryKind.END;
        return !isBoundary && encode(entry, batch, out);
    }

    private static boolean encode(Entry entry, BatchOrigin batch, ByteWriter out) {
        ((TextForm) entry).writeText(out);
        return true;
    }

    public MessageConverter flat(Router router, Time time) {
        return flat(router, ChangeHeaders.NONE, time);
    }

    public MessageConverter flat(Router router, ChangeHeaders headers, Time time) {
        return flat(router, KeyChange.KEEP, DdlPartition.FIRST, headers, time);
    }

    public MessageConverter flat(
            Router router, KeyChange keyChange, DdlPartition ddl, ChangeHeaders headers, Time time) {
        return new MessageConverter(router, keyChange, ddl, headers, flat, time);
    }

    public PacketConverter packets(Router router, PacketStyle style, int maxPacketBytes) {
        return packets(router, style, maxPacketBytes, ChangeHeaders.NONE);
    }

    public PacketConverter packets(Router router, PacketStyle style, int maxPacketBytes, ChangeHeaders headers) {
        return new PacketConverter(router, KeyChange.KEEP, DdlPartition.FIRST, style, maxPacketBytes, headers, packets);
    }

    public PacketConverter packets(
            Router router, KeyChange keyChange, DdlPartition ddl, int maxPacketBytes, ChangeHeaders headers) {
        return new PacketConverter(
                router, keyChange, ddl, PacketStyle.PARSED_WITHOUT_BOUNDARIES, maxPacketBytes, headers, packets);
    }
}
