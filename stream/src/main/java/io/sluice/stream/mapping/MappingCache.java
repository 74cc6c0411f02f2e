package io.sluice.stream.mapping;

import io.sluice.format.row.MappedColumn;
import io.sluice.format.row.MappedTable;
import io.sluice.format.row.RowLayout;
import io.sluice.format.row.RowLayouts;
import io.sluice.schema.table.TableName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the mappings that were used most recently, by table id and by table, bounded in bytes and in ids.
 *
 * <p>There are two generations. What is used moves to the young one; when that is full, it becomes the old one, and what was in the
 * old one until then is forgotten. A mapping that is forgotten is made again of the next table map, and each statement has its own.
 *
 * <p>A rows event can be of any table that its statement has mapped before, and its table map does not come again: so generations turn
 * between two statements only, and what an open statement has mapped is always known. For one thread.
 */
final class MappingCache {
    /** In a generation. */
    static final int MAX_IDS = 4096;

    /** Of a mapping that differs from another one in its version only. */
    private static final int VERSION_BYTES = 48;

    /** For all generations together. */
    private final long mostBytes;

    private final RowLayouts layouts = new RowLayouts();
    private MappingsById youngIds = new MappingsById();
    private MappingsById oldIds = new MappingsById();
    private Map<TableName, TableMapping> youngNames = new HashMap<>();
    private Map<TableName, TableMapping> oldNames = new HashMap<>();

    /** Without layouts. It does not shrink when a mapping is replaced or removed, since ids may keep it alive. */
    private long youngBytes;

    private boolean isFull;

    MappingCache(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** The layout of a table that is mapped now. */
    RowLayout layoutOf(List<MappedColumn> columns) {
        return layouts.of(columns);
    }

    /** The mapping of a table id; null if it is not known. */
    @Nullable TableMapping byId(long id) {
        TableMapping mapping = youngIds.get(id);
        return mapping == null ? renew(id) : mapping;
    }

    /** Moves the mapping of an id to the young generation, if it is in the old one. */
    @SuppressWarnings("ReferenceEquality") // the same object takes memory once
    private @Nullable TableMapping renew(long id) {
        TableMapping mapping = oldIds.get(id);
        if (mapping != null) {
            youngIds.put(id, mapping);
            if (youngNames.get(mapping.name()) != mapping) {
                if (oldNames.get(mapping.name()) == mapping) {
                    youngNames.put(mapping.name(), mapping);
                }
                youngBytes += mapping.heapBytes();
                keepLayout(mapping);
            }
            isFull = isOverfull();
        }
        return mapping;
    }

    /** How a table was mapped last; null if that is not known. */
    @Nullable TableMapping byName(TableName name) {
        TableMapping mapping = youngNames.get(name);
        return mapping == null ? oldNames.get(name) : mapping;
    }

    /** States that the last rows event of a statement has come, so that its tables need not be known any more. */
    void onStatementEnd() {
        if (isFull) {
            turn();
        }
    }

    private void turn() {
        if (bytes() > mostBytes / 2) {
            turnAll();
        } else {
            turnIds();
        }
        isFull = false;
    }

    private boolean isOverfull() {
        return bytes() > mostBytes / 2 || youngIds.size() > MAX_IDS;
    }

    /** Takes what a table map was mapped to. */
    void put(long id, TableMapping mapping) {
        youngIds.put(id, mapping);
        TableMapping before = youngNames.put(mapping.name(), mapping);
        youngBytes += before != null && before.event() == mapping.event() ? VERSION_BYTES : mapping.heapBytes();
        keepLayout(mapping);
        isFull = isOverfull();
    }

    /** Takes what an id was mapped to at an earlier time. */
    void putId(long id, TableMapping mapping) {
        youngIds.put(id, mapping);
        youngBytes += mapping.heapBytes();
        keepLayout(mapping);
        isFull = isOverfull();
    }

    private void keepLayout(TableMapping mapping) {
        MappedTable table = mapping.table();
        if (table != null) {
            layouts.keep(table.layout());
        }
    }

    private void turnAll() {
        oldNames = youngNames;
        youngNames = new HashMap<>();
        youngBytes = 0;
        layouts.turn();
        turnIds(); // so that no id keeps a mapping alive that is in neither generation
    }

    private void turnIds() {
        MappingsById free = oldIds;
        oldIds = youngIds;
        free.clear();
        youngIds = free;
    }

    /** Forgets a table; or, with an empty table name, all tables of a schema. The mappings of its ids are kept. */
    void remove(TableName name) {
        if (name.table().isEmpty()) {
            youngNames.keySet().removeIf(known -> known.schema().equals(name.schema()));
            oldNames.keySet().removeIf(known -> known.schema().equals(name.schema()));
        } else {
            youngNames.remove(name);
            oldNames.remove(name);
        }
    }

    /** Forgets the mappings of all tables; those of ids are kept. */
    void clearNames() {
        youngNames.clear();
        oldNames.clear();
    }

    /** Forgets the mappings of all ids. */
    void clearIds() {
        youngIds.clear();
        oldIds.clear();
    }

    /** How much memory the young generation takes, roughly. */
    long bytes() {
        return youngBytes + layouts.bytes();
    }

    /** How many ids are known. */
    int ids() {
        return youngIds.size() + oldIds.size();
    }

    /** How many tables are known; one that is in both generations counts twice. */
    int names() {
        return youngNames.size() + oldNames.size();
    }
}
