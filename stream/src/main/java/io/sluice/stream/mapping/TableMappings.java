package io.sluice.stream.mapping;

import io.sluice.format.row.MappedColumn;
import io.sluice.format.row.MappedTable;
import io.sluice.format.value.ColumnDeclaration;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.FormatDescription;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import io.sluice.stream.event.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Combines table maps with table schemas, and caches the results within a memory limit, since every statement has a table map.
 *
 * <p>For one thread.
 */
public final class TableMappings {
    /** The default memory limit, in bytes. */
    public static final long DEFAULT_BYTES = 32L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(TableMappings.class);

    private final SchemaTracker tracker;
    private final TableCatalog catalog;
    private final TableFilter filter;
    private final ColumnTypes types;
    private final RowDelivery delivery;
    private final SchemaResolver resolver;
    private final RecentTables<QuarantinedTable> held = new RecentTables<>();
    private final MappingCache cache;
    private long schemaVersion;
    private int filterVersion;
    private FormatDescription lastFormat = FormatDescription.UNKNOWN;
    private boolean leavesGeneratedOut;

    private TableListener tables = (table, isNamed) -> {};

    /**
     * Makes an empty cache.
     *
     * @param tracker has the table schemas
     * @param filter decides which tables pass
     * @param types makes the column types
     * @param delivery which rows are delivered
     */
    TableMappings(SchemaTracker tracker, TableFilter filter, ColumnTypes types, RowDelivery delivery) {
        this(tracker, filter, types, delivery, HiddenColumns.NONE, DEFAULT_BYTES);
    }

    /**
     * Makes an empty cache for a source that has hidden columns.
     *
     * @param mostBytes how much memory it may take, roughly; what was not used recently is made again when it is needed
     */
    public TableMappings(
            SchemaTracker tracker,
            TableFilter filter,
            ColumnTypes types,
            RowDelivery delivery,
            HiddenColumns hidden,
            long mostBytes) {
        this.cache = new MappingCache(mostBytes);
        this.resolver = new SchemaResolver(tracker, hidden);
        this.tracker = tracker;
        this.catalog = tracker.catalog();
        this.filter = filter;
        this.types = types;
        this.delivery = delivery;
        this.filterVersion = filter.version();
    }

    /** Sets the listener for tables with rows. */
    public void onTable(TableListener listener) {
        tables = listener;
    }

    /** Returns the mapping of a table id; null if no table map has defined it. */
    public @Nullable TableMapping byId(long tableId) {
        return cache.byId(tableId);
    }

    /** Ids are the server's own, and a new connection or file has its own table maps. */
    public void forgetIds() {
        cache.clearIds();
        schemaVersion++; // table schemas may be of another time on another server
    }

    /** The newest row of the schema history that the table schemas rely on; null if there is no history. */
    public @Nullable SchemaReference schemaReference() {
        return tracker.reference();
    }

    /** Invalidates the mappings after a DDL. */
    public void onSchemaChange() {
        schemaVersion++;
        for (TableName gone : catalog.tables().takeGone()) {
            cache.remove(gone);
            held.remove(gone);
            resolver.forget(gone);
        }
    }

    /**
     * Restores the mapping that a table id had when the held events were read. The next table map of the table does not rely on it,
     * since the table schema or the filter may have changed.
     */
    public void put(long tableId, TableMapping mapping) {
        cache.putId(tableId, mapping);
    }

    /** Ends the statement whose last rows event was read. */
    public void onStatementEnd() {
        cache.onStatementEnd();
    }

    /** How many tables are remembered, roughly. */
    int tables() {
        return cache.names();
    }

    /** How many table ids are remembered. */
    int ids() {
        return cache.ids();
    }

    /** Reads a table map. */
    public void accept(Event event, FormatDescription format) throws IOException {
        if (filter.version() != filterVersion) {
            filterVersion = filter.version();
            cache.clearNames();
            schemaVersion++; // the ids stay: a statement whose tables are half named continues as it began
        }
        if (!format.equals(lastFormat)) {
            lastFormat = format;
            if (format.leavesGeneratedOut() != leavesGeneratedOut) {
                leavesGeneratedOut = !leavesGeneratedOut;
                cache.clearNames();
                schemaVersion++;
            }
        }
        EventBody body = event.body();
        int start = body.offset();
        long tableId = TableMap.readTableId(body, format);
        TableMapping known = cache.byId(tableId);
        if (known != null && known.schemaVersion() == schemaVersion && known.isOf(body)) {
            return;
        }
        catalog.moveTo(event.eventPosition());
        byte[] bytes = Arrays.copyOfRange(body.array(), body.offset(), body.end());
        TableMap map = TableMap.decode(new EventBody(body.array(), start, body.end()), format);
        TableName name = new TableName(map.schema(), map.table());
        tables.rows(name, map.full() != null);
        TableMapping named = cache.byName(name);
        TableMapping mapping = named != null && Arrays.equals(named.event(), bytes) && isCurrent(named, name)
                ? named.at(schemaVersion)
                : resolve(map, name, bytes, event.position());
        cache.put(tableId, mapping);
    }

    private boolean isCurrent(TableMapping mapping, TableName name) throws IOException {
        if (mapping.schemaVersion() == schemaVersion) {
            return true;
        }
        if (mapping.table() != null && mapping.table().layout().hasUnlogged()) {
            return false; // an index that was dropped and made again has another place
        }
        // A table whose rows are not delivered has no table schema, and no DDL changes that.
        return mapping.schema() == null
                ? mapping.held() == null && !delivers(name)
                : mapping.schema().equals(catalog.table(name))
                        && !catalog.doubts().has(name);
    }

    private boolean delivers(TableName name) {
        return delivery != RowDelivery.NONE && filter.passes(name.schema(), name.table());
    }

    private TableMapping resolve(TableMap map, TableName name, byte[] event, Event.Position position)
            throws IOException {
        if (!delivers(name)) {
            return new TableMapping(name, event, schemaVersion, null, null, null);
        }
        SchemaResolver.Choice choice = resolver.of(map, name, position);
        if (!choice.mismatch().isEmpty()) {
            return new TableMapping(name, event, schemaVersion, null, null, hold(name, choice.mismatch(), position));
        }
        TableSchema schema = choice.schema();
        if (schema != null && schema.isSequence()) {
            LOG.info("rows of a sequence are skipped: sequence={} at={}", name, position);
            return new TableMapping(name, event, schemaVersion, schema, null, null);
        }
        List<MappedColumn> columns = new ArrayList<>(map.types().length);
        int rowEnd = -1;
        for (int i = 0; i < map.types().length; i++) {
            ColumnSchema column = choice.columns().get(i);
            rowEnd = column.isRowEnd() ? i : rowEnd;
            columns.add(new MappedColumn(
                    column.name(),
                    column.mysqlType(),
                    column.primaryKey(),
                    choice.unlogged().get(i) ? ColumnTypes.UNLOGGED : types.of(map, i, declarationOf(column)),
                    i < choice.delivered()
                            && !column.isHidden()
                            && !choice.unlogged().get(i)
                            && filter.passes(map.schema(), map.table(), column.name()),
                    !choice.unlogged().get(i),
                    leavesGeneratedOut && column.generated()));
        }
        MappedTable table = new MappedTable(map.schema(), map.table(), cache.layoutOf(columns), rowEnd);
        return new TableMapping(name, event, schemaVersion, schema, table, null);
    }

    /**
     * Holds a table whose row images have columns that should not be in them.
     *
     * @throws SchemaMismatchException if that is not chosen
     */
    public void refuse(long tableId, TableMapping mapping, Event.Position position) {
        QuarantinedTable table = hold(
                mapping.name(),
                "the row images have columns that the source keeps for indexes on expressions, so these have changed since",
                position);
        table.leaveOut(position);
        cache.put(
                tableId,
                new TableMapping(
                        mapping.name(), mapping.event(), mapping.schemaVersion(), mapping.schema(), null, table));
    }

    private QuarantinedTable hold(TableName name, String mismatch, Event.Position position) {
        if (delivery == RowDelivery.ALL) {
            throw new SchemaMismatchException(
                    name,
                    ("rows of %s at %s cannot be named: %s. A DDL was not seen, or the schema history is"
                                    + " of another time. Either take the table schema that the source has now, by"
                                    + " canal.instance.schema.reload=<expression of the table> for one start; or leave such rows"
                                    + " out until a schema matches, by canal.instance.schema.onMismatch=skip; or exclude the"
                                    + " table, by canal.instance.filter.black.regex. binlog_row_metadata=FULL on the source"
                                    + " prevents this")
                            .formatted(name, position, mismatch));
        }
        QuarantinedTable table = held.get(name);
        if (table == null) {
            table = new QuarantinedTable(name, tracker.counts());
            held.put(name, table);
            tracker.counts().countTableHeld();
            LOG.warn(
                    "rows of a table are skipped until its schema matches: table={} at={} reason={}",
                    name,
                    position,
                    mismatch);
        }
        return table;
    }

    private static ColumnDeclaration declarationOf(ColumnSchema column) {
        return new ColumnDeclaration(column.name(), column.mysqlType(), column.unsigned(), column.charset());
    }
}
