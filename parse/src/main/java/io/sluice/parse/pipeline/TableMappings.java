package io.sluice.parse.pipeline;

import io.sluice.parse.binlog.EventBody;
import io.sluice.parse.binlog.FormatDescription;
import io.sluice.parse.binlog.TableMap;
import io.sluice.parse.entry.MappedTable;
import io.sluice.parse.filter.TableFilter;
import io.sluice.parse.schema.ColumnSchema;
import io.sluice.parse.schema.SchemaTracker;
import io.sluice.parse.schema.TableName;
import io.sluice.parse.schema.TableSchema;
import io.sluice.parse.value.ColumnTypes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins table maps with the tables' structures, and remembers the result, since a table map comes with every statement.
 *
 * <p>For one thread.
 */
public final class TableMappings {
    private static final Logger LOG = LoggerFactory.getLogger(TableMappings.class);

    private final SchemaTracker tracker;
    private final TableFilter filter;
    private final ColumnTypes types;
    private final boolean dropsUnknown;
    private final Map<Long, Mapping> byId = new HashMap<>();
    private final Map<TableName, Mapping> byName = new HashMap<>();
    private long structuresVersion;
    private int filterVersion;
    private long rowsOfUnknownTables;

    /**
     * Makes an empty memory.
     *
     * @param tracker knows the structures
     * @param filter says which tables pass
     * @param types makes the column types
     * @param dropsUnknown whether rows of tables with no fitting structure are left out, with a log line, and do not stop the
     *     stream
     */
    public TableMappings(SchemaTracker tracker, TableFilter filter, ColumnTypes types, boolean dropsUnknown) {
        this.tracker = tracker;
        this.filter = filter;
        this.types = types;
        this.dropsUnknown = dropsUnknown;
        this.filterVersion = filter.version();
    }

    /** What the rows events of one table id are read with; {@code table} is null if they are left out. */
    @SuppressWarnings("ArrayRecordComponent") // compared by isOf only
    record Mapping(
            byte[] event,
            long structuresVersion,
            @Nullable TableSchema structure,
            @Nullable MappedTable table) {
        private boolean isOf(EventBody body) {
            return Arrays.equals(event, 0, event.length, body.array(), body.offset(), body.end());
        }

        private Mapping at(long version) {
            return new Mapping(event, version, structure, table);
        }
    }

    /** What a table id stands for; null if no table map named it. */
    @Nullable Mapping byId(long tableId) {
        return byId.get(tableId);
    }

    /** Ids are the server's own, and a new connection or file has its own table maps. */
    void forgetIds() {
        byId.clear();
    }

    /** States that a DDL has passed. */
    void structuresChanged() {
        structuresVersion++;
    }

    /** Takes a table map. */
    void accept(Event event, FormatDescription format) throws IOException {
        if (filter.version() != filterVersion) {
            filterVersion = filter.version();
            byName.clear();
            structuresChanged(); // the ids stay: a statement whose tables are half named goes on as it began
        }
        EventBody body = event.body();
        int start = body.offset();
        long tableId = TableMap.readTableId(body, format);
        Mapping known = byId.get(tableId);
        if (known != null && known.structuresVersion == structuresVersion && known.isOf(body)) {
            return;
        }
        tracker.moveTo(event.schemaPoint());
        byte[] bytes = Arrays.copyOfRange(body.array(), body.offset(), body.end());
        TableMap map = TableMap.decode(new EventBody(body.array(), start, body.end()), format);
        TableName name = new TableName(map.schema(), map.table());
        Mapping named = byName.get(name);
        Mapping mapping = named != null && Arrays.equals(named.event, bytes) && isCurrent(named, name)
                ? named.at(structuresVersion)
                : resolve(map, name, bytes, event.place());
        byId.put(tableId, mapping);
        byName.put(name, mapping);
    }

    private boolean isCurrent(Mapping mapping, TableName name) throws IOException {
        if (mapping.structuresVersion == structuresVersion) {
            return true;
        }
        // A table that is left out by the filter has no structure, and no DDL changes that.
        return mapping.structure == null
                ? mapping.table == null && !filter.passes(name.schema(), name.table())
                : mapping.structure.equals(tracker.table(name));
    }

    private Mapping resolve(TableMap map, TableName name, byte[] event, Event.Place place) throws IOException {
        if (!filter.passes(map.schema(), map.table())) {
            return new Mapping(event, structuresVersion, null, null);
        }
        TableSchema structure = tracker.table(name);
        if (structure != null && structure.columns().size() < map.types().length) {
            tracker.forget(name);
            structure = tracker.table(name);
        }
        if (structure == null || structure.columns().size() < map.types().length) {
            return unknown(map, structure, event, place);
        }
        if (structure.isSequence()) {
            LOG.info("rows of a sequence are left out: sequence={} at={}", name, place);
            return new Mapping(event, structuresVersion, structure, null);
        }
        List<MappedTable.Column> columns = new ArrayList<>(map.types().length);
        int rowEnd = -1;
        for (int i = 0; i < map.types().length; i++) {
            ColumnSchema column = structure.columns().get(i);
            rowEnd = column.versioning().isRowEnd() ? i : rowEnd;
            columns.add(new MappedTable.Column(
                    column.name(),
                    column.mysqlType(),
                    column.primaryKey(),
                    types.of(map, i, column),
                    !column.versioning().isHidden() && filter.passes(map.schema(), map.table(), column.name())));
        }
        MappedTable table = new MappedTable(map.schema(), map.table(), columns, rowEnd);
        return new Mapping(event, structuresVersion, structure, table);
    }

    private Mapping unknown(TableMap map, @Nullable TableSchema structure, byte[] event, Event.Place place) {
        String what = structure == null
                ? "its structure is not known, and the source has no such table now"
                : "it has %d columns there, its structure %d"
                        .formatted(map.types().length, structure.columns().size());
        if (!dropsUnknown) {
            throw new StreamException(("rows of %s.%s at %s cannot be named: %s. Exclude the table by"
                            + " canal.instance.filter.black.regex, or let such rows be left out by"
                            + " canal.instance.filter.table.error=true")
                    .formatted(map.schema(), map.table(), place, what));
        }
        rowsOfUnknownTables++;
        LOG.warn(
                "rows of a table are left out, {}: table={}.{} at={} tables_left_out={}",
                what,
                map.schema(),
                map.table(),
                place,
                rowsOfUnknownTables);
        return new Mapping(event, structuresVersion, null, null);
    }
}
