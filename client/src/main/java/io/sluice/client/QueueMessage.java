package io.sluice.client;

import io.sluice.protocol.flat.FlatMessage;
import java.io.IOException;
import java.util.List;

/**
 * The content of a message of a queue: the value in Kafka, the body in RocketMQ, RabbitMQ or Pulsar. Both forms are
 * read, whether Sluice or canal wrote them.
 */
public sealed interface QueueMessage {
    /**
     * Reads a message of either form, by its first byte.
     *
     * @throws IOException if it is neither
     */
    static QueueMessage read(byte[] body) throws IOException {
        return body.length > 0 && body[0] == '{' ? readFlat(body) : readPacket(body);
    }

    /**
     * Reads a packet ({@code canal.mq.flatMessage=false}).
     *
     * @throws IOException if it is none
     */
    static OfEntries readPacket(byte[] body) throws IOException {
        return new OfEntries(ChangeBatch.ofRecord(body));
    }

    /**
     * Reads flat JSON ({@code canal.mq.flatMessage=true}).
     *
     * @throws IOException if it is none
     */
    static OfRows readFlat(byte[] body) throws IOException {
        return new OfRows(FlatMessage.read(body));
    }

    /**
     * The changes of rows and of table schemas, in binlog order; of flat messages it is one.
     *
     * @throws IOException if one cannot be read
     */
    List<TableChange> changes() throws IOException;

    /** Entries of transactions, with the begins and ends of these. */
    record OfEntries(ChangeBatch batch) implements QueueMessage {
        @Override
        public List<TableChange> changes() throws IOException {
            return batch.changes();
        }
    }

    /**
     * Rows of one table that one event changed, or one statement. As a {@link TableChange} it has no position, and the image
     * before an update has what the message states: columns that it does not name are as after it.
     */
    record OfRows(FlatMessage message) implements QueueMessage {
        @Override
        public List<TableChange> changes() throws IOException {
            return List.of(FlatChange.of(message));
        }
    }
}
