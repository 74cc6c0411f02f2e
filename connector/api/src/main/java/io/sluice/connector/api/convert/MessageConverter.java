package io.sluice.connector.api.convert;

import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.api.route.Router;
import io.sluice.format.entry.Entry;
import io.sluice.format.message.BatchOrigin;
import io.sluice.format.message.MessageFormat.Unit;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.bytes.TooManyBytesException;
import io.sluice.protocol.time.Time;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages of one entry or one row each, in the order of the entries: for each entry one message per partition that its rows go to,
 * or per row if the format has one message per row.
 */
public final class MessageConverter implements BatchConverter {
    private final RowRouter rowRouter;
    private final ChangeHeaders headers;
    private final Workspaces workspaces;
    private final Time time;
    private final ValueLimit limit;

    /**
     * Makes a converter of messages of any size.
     *
     * @param headers the headers that identify the changes
     * @param workspaces those of a format whose messages are entries or rows
     * @param time the clock for the time of conversion, read once per batch
     */
    public MessageConverter(
            Router router,
            KeyChange keyChange,
            DdlPartition ddl,
            ChangeHeaders headers,
            Workspaces workspaces,
            Time time) {
        this(routerOf(router, keyChange, ddl, workspaces), headers, workspaces, time, ValueLimit.NONE);
    }

    private static RowRouter routerOf(Router router, KeyChange keyChange, DdlPartition ddl, Workspaces workspaces) {
        RowRouter whole = new RowRouter(router, false, false, keyChange, ddl);
        return workspaces.unit() == Unit.ROW ? whole.splittingAll() : whole;
    }

    private MessageConverter(
            RowRouter rowRouter, ChangeHeaders headers, Workspaces workspaces, Time time, ValueLimit limit) {
        this.rowRouter = rowRouter;
        this.headers = headers;
        this.workspaces = workspaces;
        this.time = time;
        this.limit = limit;
    }

    /** Returns a converter with the given size limit, which replaces each message that is larger by a rejection. */
    public MessageConverter with(ValueLimit other) {
        return new MessageConverter(rowRouter, headers, workspaces, time, other);
    }

    @Override
    public BatchConverter forBatch() {
        RowRouter pinned = rowRouter.pinned();
        return pinned == rowRouter ? this : new MessageConverter(pinned, headers, workspaces, time, limit);
    }

    @Override
    public BatchConverter singly() {
        return new MessageConverter(rowRouter.splittingAll(), headers, workspaces, time, limit);
    }

    @Override
    public Map<String, PartitionsUnknownException> unavailable() {
        return rowRouter.unavailable();
    }

    @Override
    public List<OutgoingMessage> convert(long batchId, List<Entry> entries) {
        return workspaces.with(workspace -> convert(new BatchOrigin(batchId, time.millis()), entries, workspace));
    }

    private List<OutgoingMessage> convert(BatchOrigin batch, List<Entry> entries, Workspace workspace) {
        ByteWriter buffer = workspace.take();
        List<OutgoingMessage> messages = new ArrayList<>(entries.size());
        RowRouter.Taker taker = (topic, partition, key, entry) -> {
            buffer.clear();
            limit.begin(buffer);
            try {
                if (workspace.encoder().encode(entry, batch, buffer)) {
                    byte[] value = Arrays.copyOf(buffer.array(), buffer.size());
                    Message message = new Message(topic, partition, key, value, headers.of(entry));
                    messages.add(OutgoingMessage.of(message, entry));
                }
            } catch (TooManyBytesException e) {
                messages.add(rejection(topic, partition, key, entry, e));
            }
        };
        try {
            for (Entry entry : entries) {
                try {
                    rowRouter.deal(entry, workspace.splitter(), taker);
                } catch (TooManyBytesException e) { // its rows cannot be separated, so their partition is unknown
                    messages.add(rejection(rowRouter.topicOf(entry), 0, null, entry, e));
                }
            }
            return messages;
        } finally {
            workspace.giveBack(buffer);
        }
    }

    private OutgoingMessage rejection(
            String topic, int partition, byte @Nullable [] key, Entry entry, TooManyBytesException cause) {
        return limit.rejection(
                new Message(topic, partition, key, ValueLimit.noValue(), headers.of(entry)), entry, cause);
    }
}
