package io.sluice.stream.source.schema;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.restore.HistoryBeginning;
import io.sluice.schema.history.restore.RecordedStatements;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.server.SourceConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets from the present table schemas of the source to those of an earlier position, where no schema history tells them.
 *
 * <p>The DDL in between is in the binlog. A table that it does not change was then what it is now; columns that it adds were not there. Of
 * a table that it changes otherwise the columns are not known before the last change: if there are rows, and the binlog does not name their columns,
 * these would get names of others, so the start is rejected. For one thread.
 */
final class PastSchemas {
    private static final Logger LOG = LoggerFactory.getLogger(PastSchemas.class);

    private final String instance;
    private final @Nullable TableFilter reloaded;
    private final DdlSearch search;

    /** @param reloaded tables whose present schema an operator wants; null for none */
    PastSchemas(String instance, @Nullable TableFilter reloaded, DdlSearch search) {
        this.instance = instance;
        this.reloaded = reloaded;
        this.search = search;
    }

    /**
     * Changes the table schemas in memory, which were just read from the source.
     *
     * @throws ChangedTablesException if the schema of a table is not known
     * @throws IOException if the source cannot be reached
     */
    void moveTo(DumpStart start, TableCatalog catalog, SourceConnection connection) throws IOException {
        moveTo(start, connection.facts().end().position(), catalog, connection);
    }

    /** Changes table schemas that are not the present ones, but those of the position {@code end}. */
    void moveTo(DumpStart start, BinlogPosition end, TableCatalog catalog, SourceConnection connection)
            throws IOException {
        moveTo(start, end, SearchedPart.End.NONE, catalog, connection);
    }

    /**
     * Changes the table schemas with which a history begins that was written while the binlog of another server was read.
     *
     * @param beginning where the history begins
     * @param recorded its statements up to the second in which it begins
     */
    void moveTo(
            DumpStart start,
            HistoryBeginning beginning,
            RecordedStatements recorded,
            TableCatalog catalog,
            SourceConnection connection)
            throws IOException {
        long beginningSeconds = beginning.timeMillis() / 1000;
        SearchedPart.End end = (at, ddl) -> at.timeMillis() / 1000 > beginningSeconds || recorded.has(at, ddl);
        moveTo(start, connection.facts().end().position(), end, catalog, connection);
    }

    private void moveTo(
            DumpStart start,
            BinlogPosition end,
            SearchedPart.End last,
            TableCatalog catalog,
            SourceConnection connection)
            throws IOException {
        BinlogPosition from = start.position();
        if (end.equals(from)) {
            return;
        }
        LaterChanges changes = from == null
                ? null
                : search.in(
                        new SearchedPart(from, end, last, start.byGtids() ? start.executed() : null),
                        SearchedBinlog.of(connection),
                        "there is no schema history of the start position");
        if (from == null || changes == null) {
            catalog.charsets().setAll(Map.of());
            LOG.warn(
                    "whether tables were changed since the start position is not known, they are read with the schemas that the source has now;"
                            + " if columns were added, renamed or exchanged since then, load these tables again: instance={} start={}",
                    instance,
                    start);
            return;
        }
        for (String schema : catalog.charsets().schemas()) {
            if (changes.changesDefault(from, schema)) {
                catalog.charsets().forget(schema);
            }
        }
        List<String> unknown = new ArrayList<>();
        for (TableSchema table : List.copyOf(catalog.tables().schemas())) {
            TableLife life = changes.lifeOf(table.name());
            if (isWanted(table.name())) {
                continue;
            }
            BinlogPosition unread = changes.firstUnread(table.name());
            if (unread != null && life != null && life.hasRows()) {
                unknown.add(table.name() + " (by the DDL at " + unread + ", whose form is not known)");
                continue;
            }
            String changed = life == null ? null : life.firstChange();
            if (life != null && changed != null && !moveTo(life, table.name(), catalog)) {
                unknown.add(table.name() + " (by the DDL at " + changed + ")");
            }
        }
        if (!unknown.isEmpty()) {
            throw unknown(unknown, start);
        }
    }

    private static boolean moveTo(TableLife life, TableName table, TableCatalog catalog) {
        List<String> added = life.added();
        if (added != null && catalog.tables().removeColumns(table, added)) {
            return true;
        }
        catalog.tables().forget(table); // made by a DDL later, or read again after the last one
        return !life.hasUnnamedRows();
    }

    private boolean isWanted(TableName table) {
        return reloaded != null && reloaded.passes(table.schema(), table.table());
    }

    private static ChangedTablesException unknown(List<String> tables, DumpStart start) {
        int shown = Math.min(tables.size(), FilterChange.MAX_NAMES);
        String names = tables.subList(0, shown) + (shown < tables.size() ? " and more" : "");
        return new ChangedTablesException(
                ("there is no schema history of the start position, and the columns of %d tables at %s are not known, since they were changed after it and after"
                                + " rows: %s; start after these changes; or list the tables in canal.instance.schema.reload for one start, if they may be"
                                + " read with the columns that they have now; or exclude them, by canal.instance.filter.black.regex")
                        .formatted(tables.size(), start, names));
    }
}
