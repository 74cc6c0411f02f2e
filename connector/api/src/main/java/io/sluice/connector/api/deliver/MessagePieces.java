package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.format.entry.ChangeId;
import io.sluice.format.entry.Entry;
import io.sluice.store.ring.Batch;
import java.util.List;

/** Splits a message that is too large for the broker into the messages of its single entries and rows. */
final class MessagePieces {
    private MessagePieces() {}

    /**
     * What a message of a batch carries, in messages as small as can be, in their order; itself if it cannot be split.
     *
     * <p>The batch is converted once more, and they are found among those of the message's partition by the changes that they begin with,
     * since the order is the same.
     *
     * @param own the converter that has made the message
     * @throws IllegalStateException if they do not carry exactly the changes of the message
     */
    static List<OutgoingMessage> of(Batch batch, BatchConverter own, OutgoingMessage outgoing) {
        TopicPartition partition = TopicPartition.of(outgoing.message());
        List<OutgoingMessage> singles = own.singly().convert(batch.id(), batch.entries()).stream()
                .filter(single -> TopicPartition.of(single.message()).equals(partition))
                .toList();
        int begin = indexOf(outgoing.first(), singles, 0);
        int last = begin < 0 ? -1 : indexOf(outgoing.last(), singles, begin);
        if (last < 0) {
            throw mismatch(outgoing, 0);
        }
        int rows = outgoing.last().rowCount();
        boolean isCut = rows > 1 && singles.get(last).first().rowCount() < rows;
        List<OutgoingMessage> pieces = singles.subList(begin, Math.min(singles.size(), isCut ? last + rows : last + 1));
        int changes = pieces.stream().mapToInt(OutgoingMessage::changes).sum();
        if (changes != outgoing.changes()) {
            throw mismatch(outgoing, changes);
        }
        return pieces;
    }

    private static IllegalStateException mismatch(OutgoingMessage outgoing, int found) {
        ChangeId first = outgoing.first().changeId();
        ChangeId last = outgoing.last().changeId();
        return new IllegalStateException(
                ("a message that is too large, %s:%d to %s:%d for topic %s, partition %d, has %d changes, but %d of them were found to"
                                + " send them one by one: this is a defect, report it; raise the broker's limit to continue without")
                        .formatted(
                                first.file(),
                                first.offset(),
                                last.file(),
                                last.offset(),
                                outgoing.message().topic(),
                                outgoing.message().partition(),
                                outgoing.changes(),
                                found));
    }

    /** The first message, from one on, that begins where an entry begins; negative if there is none. */
    private static int indexOf(Entry entry, List<OutgoingMessage> messages, int from) {
        ChangeId sought = entry.changeId();
        for (int i = from; i < messages.size(); i++) {
            ChangeId found = messages.get(i).first().changeId();
            if (found.offset() == sought.offset()
                    && found.row() == sought.row()
                    && found.part() == sought.part()
                    && found.sequence() == sought.sequence()
                    && found.file().equals(sought.file())
                    && found.serverId() == sought.serverId()) {
                return i;
            }
        }
        return -1;
    }
}
