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
        return new OfEntries(ChangeBatch.ofMessage(body));
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
     * has what the message states, the values before of columns that changed. In the image before it, columns without one have the value
     * after it. That is exact with {@code binlog_row_image=FULL} and without a column filter. Otherwise:
     *
     * <ul>
     *   <li>If no old value of a row differs, as with {@code MINIMAL} unless the key changed, and where a filter has dropped the columns that
     *       changed, it is not known which columns have changed. All that may have count as updated, and their values in the image before
     *       are not known: {@link RowImage#isKnown}. They are all but the primary key and columns with an old value in another row.
     *   <li>Nor is it known if the message has more or fewer objects of old values than rows, as canal may send with a column filter. A
     *       column of the key that one of them names counts as updated then, too.
     *   <li>Changed columns that the source logged without a value before ({@code NOBLOB}: BLOB and TEXT; {@code MINIMAL}: those beside a
     *       changed key) cannot be distinguished from unchanged ones if another column of the row has one that differs: they count as known, and as
     *       not updated.
     *   <li>The image before lacks the primary key if the message does ({@code MINIMAL}), and is empty if the message has no column of the
     *       row.
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
