package io.sluice.server.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.format.entry.EncodedEntry;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.flat.FlatFormat;
import io.sluice.format.message.BatchOrigin;
import io.sluice.format.message.MessageEncoder;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import io.sluice.schema.sql.MaskedSql;
import io.sluice.server.instance.DeliveryTap;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Samples what an instance delivers while an event stream is open: changes of rows and statements, as JSON. It takes as many as are written in time,
 * and counts the others; the delivery never waits for it.
 */
final class ChangeTail implements DeliveryTap.Watcher, AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int QUEUE = 64;

    /** Larger ones are not shown: what waits here is memory that nothing else limits. */
    private static final int MAX_ENTRY_BYTES = 64 * 1024;

    /** The largest text of one, which may be larger than the entry, as that of compressed values. */
    private static final int MAX_TEXT_BYTES = 1 << 22;

    private static final int MAX_ROWS = 20;
    private static final String MASK = "***";

    private final DeliveryTap tap;
    private final String table;
    private final boolean showsValues;
    private final BlockingQueue<Entry> queue = new ArrayBlockingQueue<>(QUEUE);
    private final AtomicLong leftOut = new AtomicLong();
    private final MessageEncoder encoder = new FlatFormat().newEncoder();
    private final ByteWriter bytes = new ByteWriter(1024);

    /**
     * Begins to sample.
     *
     * @param table as {@code schema.table}; empty for all
     * @param showsValues whether the values of rows, and literals of statements, are shown, or masked
     */
    ChangeTail(DeliveryTap tap, String table, boolean showsValues) {
        this.tap = tap;
        this.table = table;
        this.showsValues = showsValues;
        bytes.limitTo(MAX_TEXT_BYTES);
        tap.add(this);
    }

    @Override
    public void delivered(List<Entry> entries) {
        for (Entry entry : entries) {
            boolean isBoundary = entry.kind() == EntryKind.BEGIN || entry.kind() == EntryKind.END;
            boolean isMeant = table.isEmpty() || table.equals(entry.schemaName() + "." + entry.tableName());
            if (!isBoundary && isMeant && !take(entry)) {
                leftOut.incrementAndGet();
            }
        }
    }

    private boolean take(Entry entry) {
        if (entry.heldBytes() > MAX_ENTRY_BYTES || queue.remainingCapacity() == 0) {
            return false;
        }
        // A copy, so that a few rows do not keep all the bytes alive in which they came.
        return queue.offer(entry instanceof RowsEntry rows && rows.choice() == null ? rows.detached() : entry);
    }

    /** How many changes were not taken since this was asked last. */
    long takeLeftOut() {
        return leftOut.getAndSet(0);
    }

    /** The next change; null if none comes in time. For one thread. */
    @Nullable ObjectNode next(long longestMillis) throws InterruptedException {
        Entry entry = queue.poll(longestMillis, TimeUnit.MILLISECONDS);
        return entry == null ? null : json(entry);
    }

    private ObjectNode json(Entry entry) {
        var change = entry.changeId();
        ObjectNode json = JSON.createObjectNode()
                .put("schema", entry.schemaName())
                .put("table", entry.tableName())
                .put("type", String.valueOf(entry.eventType()))
                .put("kind", entry.kind().name())
                .put("rows", entry.rowCount())
                .put("time", Instant.ofEpochMilli(entry.executeTimeMillis()).toString())
                .put("position", change.file() + ":" + change.offset())
                .put("gtid", change.gtid());
        try {
            if (entry instanceof EncodedEntry encoded) {
                addEncoded(json, encoded);
            } else {
                addFlat(json, entry);
            }
        } catch (RuntimeException | InvalidProtocolBufferException | JsonProcessingException e) {
            json.put("unreadable", String.valueOf(e.getMessage()));
        }
        return json;
    }

    private void addFlat(ObjectNode json, Entry entry) throws JsonProcessingException {
        bytes.clear();
        if (!encoder.encode(entry, new BatchOrigin(0, 0), bytes)) {
            return;
        }
        JsonNode flat = JSON.readTree(new String(bytes.toByteArray(), StandardCharsets.UTF_8));
        addSql(json, entry.kind(), flat.path("sql").asText(""));
        addRows(json, "after", flat.path("data"));
        addRows(json, "before", flat.path("old"));
    }

    private void addRows(ObjectNode json, String name, JsonNode rows) {
        if (!rows.isArray()) {
            return;
        }
        ArrayNode shown = json.putArray(name);
        for (JsonNode row : rows) {
            if (shown.size() == MAX_ROWS) {
                return;
            }
            ObjectNode values = shown.addObject();
            row.properties().forEach(column -> values.set(column.getKey(), masked(column.getValue())));
        }
    }

    private JsonNode masked(JsonNode value) {
        return showsValues || value.isNull() ? value : JSON.getNodeFactory().textNode(MASK);
    }

    private void addEncoded(ObjectNode json, EncodedEntry entry) throws InvalidProtocolBufferException {
        RowChange change = RowChange.parseFrom(
                io.sluice.protocol.entry.Entry.parseFrom(entry.bytes()).getStoreValue());
        addSql(json, entry.kind(), change.getSql());
        List<RowData> rows = change.getRowDatasList();
        rows = rows.subList(0, Math.min(rows.size(), MAX_ROWS));
        addColumns(
                json, "after", rows.stream().map(RowData::getAfterColumnsList).toList());
        addColumns(
                json, "before", rows.stream().map(RowData::getBeforeColumnsList).toList());
    }

    private void addColumns(ObjectNode json, String name, List<List<Column>> rows) {
        List<List<Column>> filled = new ArrayList<>(rows);
        filled.removeIf(List::isEmpty);
        if (filled.isEmpty()) {
            return;
        }
        ArrayNode shown = json.putArray(name);
        for (List<Column> columns : filled) {
            ObjectNode values = shown.addObject();
            for (Column column : columns) {
                values.set(
                        column.getName(),
                        column.getIsNull()
                                ? JSON.nullNode()
                                : masked(JSON.getNodeFactory().textNode(column.getValue())));
            }
        }
    }

    /** Statements that change rows have values all over their texts; those that define tables have some in literals and comments. */
    private void addSql(ObjectNode json, EntryKind kind, String sql) {
        if (sql.isEmpty()) {
            return;
        }
        if (showsValues) {
            json.put("sql", sql);
        } else {
            json.put("sql", kind == EntryKind.DDL ? MaskedSql.of(sql) : MASK);
        }
    }

    @Override
    public void close() {
        tap.remove(this);
    }
}
