package io.sluice.connector.api.convert;

import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.bytes.TooManyBytesException;
import io.sluice.store.entry.Entry;
import io.sluice.store.packet.EntryFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lays entries into packets for one target.
 *
 * <p>The entries are written once, one behind the other; a packet is a run of them with a head put in front. For one batch
 * and one thread.
 */
final class PacketWriter {
    private final Target target;
    private final PacketForm form;
    private final ChangeHeaders headers;
    private final ValueLimit limit;
    private final ByteWriter entries;
    private final EntryFields fields;
    private final List<OutgoingRecord> packets = new ArrayList<>(1);

    private int packetStart;
    private int rows;
    private @Nullable Entry first;
    private @Nullable Entry last;

    /**
     * Begins the first packet.
     *
     * @param target where the packets go
     * @param buffer for its use until {@link #finish}
     */
    PacketWriter(Target target, PacketForm form, ChangeHeaders headers, ValueLimit limit, ByteWriter buffer) {
        this.limit = limit;
        this.target = target;
        this.form = form;
        this.headers = headers;
        this.entries = buffer;
        this.fields = new EntryFields(buffer);
        this.packetStart = buffer.size();
    }

    void add(Entry entry) {
        int start = entries.size();
        limit.begin(entries);
        try {
            fields.add(entry);
        } catch (TooManyBytesException e) {
            entries.setSize(start);
            refuse(entry, e);
            return;
        }
        if (start > packetStart && form.isTooLarge(entries.size() - packetStart)) {
            cut(start);
        }
        if (first == null) {
            first = entry;
        }
        last = entry;
        rows += entry.rowCount();
    }

    private void refuse(Entry entry, TooManyBytesException cause) {
        if (entries.size() > packetStart) {
            cut(entries.size());
        }
        packets.add(limit.refusal(
                target.message(ValueLimit.noValue(), headers.ofPacket(entry, entry, entry.rowCount())), entry, cause));
    }

    private void cut(int end) {
        int length = end - packetStart;
        byte[] packet = form.begin(length);
        System.arraycopy(entries.array(), packetStart, packet, packet.length - length, length);
        Entry from = Objects.requireNonNull(first);
        Entry to = Objects.requireNonNull(last);
        packets.add(new OutgoingRecord(target.message(packet, headers.ofPacket(from, to, rows)), from, to));
        packetStart = end;
        first = null;
        rows = 0;
    }

    /** Ends the last packet and returns all of them, in order; none if there were no entries. */
    List<OutgoingRecord> finish() {
        if (entries.size() > packetStart) {
            cut(entries.size());
        }
        return packets;
    }
}
