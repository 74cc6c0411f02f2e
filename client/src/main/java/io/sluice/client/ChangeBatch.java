package io.sluice.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.protocol.entry.Entry;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.packet.PacketType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of one get, or one message of a queue as a protobuf packet.
 *
 * @param id the batch id to ack; -1 if there was nothing, 0 in messages of queues that do not state it
 * @param entries all entries in binlog order, begins and ends of transactions included
 */
public record ChangeBatch(long id, List<Entry> entries) {
    public ChangeBatch {
        entries = List.copyOf(entries);
    }

    /**
     * Reads a message that was sent as a protobuf packet: the value in Kafka, the body in RocketMQ, RabbitMQ or Pulsar.
     *
     * @throws IOException if it is no packet of entries
     */
    public static ChangeBatch ofMessage(byte[] value) throws IOException {
        Packet packet = Packet.parseFrom(value);
        if (packet.getType() != PacketType.MESSAGES) {
            throw new IOException("a packet of type %s has no entries".formatted(packet.getType()));
        }
        return of(Messages.parseFrom(packet.getBody()));
    }

    static ChangeBatch of(Messages messages) throws InvalidProtocolBufferException {
        List<Entry> entries = new ArrayList<>(messages.getMessagesCount());
        for (ByteString message : messages.getMessagesList()) {
            entries.add(Entry.parseFrom(message));
        }
        return new ChangeBatch(messages.getBatchId(), entries);
    }

    /** Whether there was nothing. */
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /**
     * The changes of rows and of table schemas, in binlog order, without the begins and ends of transactions.
     *
     * @throws IOException if an entry cannot be read, or is of a kind that this version does not know
     */
    public List<TableChange> changes() throws IOException {
        List<TableChange> changes = new ArrayList<>();
        for (Entry entry : entries) {
            // A value that an enum does not have is read as its default, and is among the unknown fields.
            if (entry.getUnknownFields().hasField(Entry.ENTRYTYPE_FIELD_NUMBER)) {
                throw new IOException("an entry of a kind that is not known: is the server newer than this client?");
            }
            if (entry.getEntryType() == EntryType.ROWDATA) {
                changes.add(TableChange.of(entry));
            }
        }
        return changes;
    }
}
