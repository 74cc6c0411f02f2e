package io.sluice.connector.api.deliver.failure;

import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.producer.Message;
import io.sluice.format.entry.ChangeId;
import io.sluice.format.entry.Entry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message that the broker does not take, and never will as things are.
 *
 * @param outgoing what was rejected
 * @param tables the tables whose changes are in it, as {@code schema.table}; empty if it has none
 * @param failure the answer of the broker
 */
public record RejectedMessage(OutgoingMessage outgoing, List<String> tables, DeliveryFailure failure) {
    public RejectedMessage {
        tables = List.copyOf(tables);
    }

    /** What was sent, or was to be. */
    public Message message() {
        return outgoing.message();
    }

    /** How many bytes its value has, or would have at least if it was not made. */
    long bytes() {
        return outgoing.valueBytes();
    }

    /** The table, or all of them separated by commas; a dash if there is none. */
    String tableNames() {
        return tables.isEmpty() ? "-" : String.join(",", tables);
    }

    /** Where its changes are in the binlog: {@code file:offset} of its first entry, and of its last if that is another. */
    String place() {
        String first = place(outgoing.first());
        return outgoing.isOfOneEntry() ? first : first + ".." + place(outgoing.last());
    }

    private static String place(Entry entry) {
        ChangeId id = entry.changeId();
        return id.file() + ":" + id.offset();
    }

    /** The GTID of the transaction of its first entry; null if it is not known. */
    @Nullable String gtid() {
        return outgoing.first().changeId().gtid();
    }
}
