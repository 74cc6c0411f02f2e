package io.sluice.connector.api.convert;

import io.sluice.connector.api.producer.Message;
import io.sluice.format.entry.Entry;
import io.sluice.format.message.MessageEncoder;
import io.sluice.format.protobuf.EntryFields;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.bytes.TooManyBytesException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes entries into packets for one topic, partition and key.
 *
 * <p>The entries are written once, one after the other; a packet is a run of them with a head put in front. For one batch
 * and one thread.
 */
final class PacketWriter {
    private final String topic;
    private final int partition;
    private final byte @Nullable [] key;
    private final PacketForm form;
    private final ChangeHeaders headers;
    private final ValueLimit limit;
    private final ByteWriter buffer;
    private final EntryFields fields;
    private final List<OutgoingMessage> packets = new ArrayList<>(1);

    private int packetStart;
    private int rows;
    private int changes;
    private @Nullable Entry first;
    private @Nullable Entry last;

    /**
     * Begins the first packet.
     *
     * @param key of all its messages; null if they have none
     * @param encoder writes the entries
     * @param buffer for its use until {@link #end}; empty
     */
    PacketWriter(
            String topic,
            int partition,
            byte @Nullable [] key,
            PacketForm form,
            ChangeHeaders headers,
            ValueLimit limit,
            MessageEncoder encoder,
            ByteWriter buffer) {
        this.topic = topic;
        this.partition = partition;
        this.key = key;
        this.form = form;
        this.headers = headers;
        this.limit = limit;
        this.buffer = buffer;
        this.fields = new EntryFields(encoder, buffer);
        this.packetStart = form.headRoom();
        buffer.ensure(packetStart);
        buffer.setSize(packetStart);
    }

    String topic() {
        return topic;
    }

    int partition() {
        return partition;
    }

    byte @Nullable [] key() {
        return key;
    }

    ByteWriter buffer() {
        return buffer;
    }

    /** Adds an entry, or a rejection instead if it is too large. */
    void add(Entry entry) {
        int start = buffer.size();
        limit.begin(buffer);
        try {
            fields.add(entry);
        } catch (TooManyBytesException e) {
            buffer.setSize(start);
            reject(entry, e);
            return;
        }
        if (start > packetStart && form.isTooLarge(buffer.size() - packetStart)) {
            cut(start);
        }
        if (first == null) {
            first = entry;
        }
        last = entry;
        rows += entry.rowCount();
        changes += OutgoingMessage.changesOf(entry);
    }

    /** Adds a rejection instead of an entry; what is added after it follows it. */
    void reject(Entry entry, TooManyBytesException cause) {
        cutRest();
        packets.add(limit.rejection(message(ValueLimit.noValue(), entry, entry, entry.rowCount()), entry, cause));
    }

    private void cutRest() {
        if (buffer.size() > packetStart) {
            cut(buffer.size());
        }
    }

    /** Makes a packet of all up to {@code end}. The next packet's head has room in the bytes that have just been copied. */
    private void cut(int end) {
        byte[] packet = form.packet(buffer.array(), packetStart, end);
        Entry from = Objects.requireNonNull(first);
        Entry to = Objects.requireNonNull(last);
        packets.add(new OutgoingMessage(message(packet, from, to, rows), from, to, changes));
        packetStart = end;
        first = null;
        rows = 0;
        changes = 0;
    }

    private Message message(byte[] value, Entry from, Entry to, int rowCount) {
        return new Message(topic, partition, key, value, headers.ofPacket(from, to, rowCount));
    }

    /** Ends the last packet: nothing more is added, and the buffer is not needed any more. */
    void end() {
        cutRest();
    }

    /** All packets, in order, when the last one has been ended; none if there were no entries. */
    List<OutgoingMessage> packets() {
        return packets;
    }
}
