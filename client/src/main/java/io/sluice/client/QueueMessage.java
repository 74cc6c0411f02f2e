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
     * @throws IOException if it is none, as a message of {@code canal.mq.format=debezium}
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

    /** Entries of transactions, with the begins and ends of these where the packet has them. */
    record OfEntries(ChangeBatch batch) implements QueueMessage {
        @Override
        public List<TableChange> changes() throws IOException {
            return batch.changes();
        }
    }

    /**
     * Rows of one table that one event changed, or one statement. As a {@link TableChange} it has no position, and of an update it
     * has what the message states, the values before of columns that changed:
     *
     * <ul>
     *   <li>Columns without one are taken to be as after it. That is right with {@code binlog_row_image=FULL}.
     *   <li>If a row has none at all, as with {@code MINIMAL} unless the key changed, or where a filter has dropped the columns that changed,
     *       the image before it has the primary key only, if the message has it, and all other columns count as updated.
     *   <li>Changed columns that the source logged without a value before ({@code NOBLOB}: BLOB and TEXT; {@code MINIMAL}: those beside a
     *       changed key) cannot be told from unchanged ones if another column has one: they count as not updated.
     * </ul>
     *
     * <p>Packets state which columns have changed, and have the image before as it was logged.
     */
    record OfRows(FlatMessage message) implements QueueMessage {
        @Override
        public List<TableChange> changes() throws IOException {
            return List.of(FlatChange.of(message));
        }
    }
}
