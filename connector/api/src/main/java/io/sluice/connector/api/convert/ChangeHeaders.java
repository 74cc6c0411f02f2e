package io.sluice.connector.api.convert;

import io.sluice.connector.api.producer.MessageHeader;
import io.sluice.format.entry.ChangeId;
import io.sluice.format.entry.Entry;
import io.sluice.format.row.RowPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The headers that identify the changes in a message: by them a consumer recognizes a change that it has received before, and
 * knows which of two came first.
 *
 * <pre>
 *   sluice-id         [gtid | server id/file/offset]/sequence/row/rows[/before | /after]
 *   sluice-gtid       the transaction's GTID; not there if it is not known
 *   sluice-server-id  the server that wrote the change
 *   sluice-file       the binlog file, and where in it the event starts
 *   sluice-offset
 *   sluice-sequence   how many events are before it in its transaction
 *   sluice-row        which row of the event is the message's first; not there if it has no rows
 *   sluice-rows       how many rows the message has; not there if it has none
 *   sluice-last-id    of a protobuf packet: the id of its last entry, where the others are of its first
 * </pre>
 *
 * <p>They depend on the binlog alone, so they are the same whenever the change is sent again. The id of a flat message is of
 * that message alone, but for DDL that goes to all partitions, which has the same id in each.
 */
public enum ChangeHeaders {
    /** Nothing. */
    NONE {
        @Override
        List<MessageHeader> of(Entry change) {
            return List.of();
        }

        @Override
        List<MessageHeader> ofPacket(Entry first, Entry last, int rows) {
            return List.of();
        }
    },
    /** The headers above. */
    IDS {
        @Override
        List<MessageHeader> of(Entry change) {
            ChangeId id = change.changeId();
            return headers(id, id.rows());
        }

        @Override
        List<MessageHeader> ofPacket(Entry first, Entry last, int rows) {
            List<MessageHeader> headers = headers(first.changeId(), rows);
            headers.add(new MessageHeader("sluice-last-id", text(last.changeId())));
            return headers;
        }
    };

    /** The headers of a message of one change. */
    abstract List<MessageHeader> of(Entry change);

    /**
     * The headers of a packet.
     *
     * @param rows how many rows are in it
     */
    abstract List<MessageHeader> ofPacket(Entry first, Entry last, int rows);

    private static List<MessageHeader> headers(ChangeId id, int rows) {
        List<MessageHeader> headers = new ArrayList<>(9);
        headers.add(new MessageHeader("sluice-id", text(id)));
        if (id.gtid() != null) {
            headers.add(new MessageHeader("sluice-gtid", id.gtid()));
        }
        headers.add(new MessageHeader("sluice-server-id", Long.toString(id.serverId())));
        headers.add(new MessageHeader("sluice-file", id.file()));
        headers.add(new MessageHeader("sluice-offset", Long.toString(id.offset())));
        headers.add(new MessageHeader("sluice-sequence", Integer.toString(id.sequence())));
        if (rows > 0) {
            headers.add(new MessageHeader("sluice-row", Integer.toString(id.row())));
            headers.add(new MessageHeader("sluice-rows", Integer.toString(rows)));
        }
        return headers;
    }

    private static String text(ChangeId id) {
        StringBuilder text = new StringBuilder(80);
        if (id.gtid() != null) {
            text.append(id.gtid());
        } else {
            text.append(id.serverId()).append('/').append(id.file()).append('/').append(id.offset());
        }
        text.append('/').append(id.sequence());
        // The count is part of the id: otherwise several rows of an event, and fewer of them that begin with the same
        // row, would have the same id.
        text.append('/').append(id.row()).append('/').append(id.rows());
        if (id.part() != RowPart.WHOLE) {
            text.append('/').append(id.part().name().toLowerCase(Locale.ROOT));
        }
        return text.toString();
    }
}
