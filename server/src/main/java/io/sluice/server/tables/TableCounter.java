package io.sluice.server.tables;

import io.sluice.format.entry.Entry;
import io.sluice.protocol.entry.EventType;
import io.sluice.schema.table.TableName;

/** Counts the entries of one table, or of several as if they were one. Not thread-safe. */
final class TableCounter {
    private final TableName name;
    private long inserts;
    private long updates;
    private long deletes;
    private long bytes;
    private long lastChangeMillis;

    TableCounter(TableName name) {
        this.name = name;
    }

    TableName name() {
        return name;
    }

    /** Adds an entry, whose number of rows the caller has asked for. */
    void add(Entry entry, int rows) {
        EventType type = entry.eventType();
        if (type == EventType.INSERT) {
            inserts += rows;
        } else if (type == EventType.UPDATE) {
            updates += rows;
        } else {
            deletes += rows;
        }
        bytes += entry.sizeBytes();
        lastChangeMillis = Math.max(lastChangeMillis, entry.executeTimeMillis());
    }

    /** Adds all that another one has counted. */
    void add(TableCounter other) {
        inserts += other.inserts;
        updates += other.updates;
        deletes += other.deletes;
        bytes += other.bytes;
        lastChangeMillis = Math.max(lastChangeMillis, other.lastChangeMillis);
    }

    TableCounts counts() {
        return new TableCounts(name.schema(), name.table(), inserts, updates, deletes, bytes, lastChangeMillis);
    }
}
