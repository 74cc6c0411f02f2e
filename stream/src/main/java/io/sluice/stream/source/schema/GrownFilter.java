package io.sluice.stream.source.schema;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.filter.FilterRules;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.table.TableName;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceQueries;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the filter with that of the restored schemas, and gets the schemas of the tables that are new to it.
 *
 * <p>The source shows what a table is now. That is its schema at the start position, too, if no DDL between both changes its columns, which
 * the binlog shows. Otherwise its rows would get names of other columns, so the start is rejected. For one thread.
 */
final class GrownFilter {
    private static final Logger LOG = LoggerFactory.getLogger(GrownFilter.class);

    private final String instance;
    private final SourceQueries queries;
    private final TableFilter filter;
    private final @Nullable TableFilter reloaded;
    private final String earlier;
    private final DdlSearch search;

    /**
     * Makes one for the start of a stream, or for its move to an earlier position.
     *
     * @param reloaded tables whose present schema an operator wants; null for none
     * @param earlier when the filter counted with which the present one is compared, for messages
     */
    GrownFilter(
            String instance,
            SourceQueries queries,
            TableFilter filter,
            @Nullable TableFilter reloaded,
            String earlier,
            DdlSearch search) {
        this.instance = instance;
        this.queries = queries;
        this.filter = filter;
        this.reloaded = reloaded;
        this.earlier = earlier;
        this.search = search;
    }

    /**
     * Whether the filter is another one than that of the restored schemas.
     *
     * @param before the latter; null if it is not known
     */
    boolean differs(@Nullable FilterRules before) {
        return before != null && !before.equals(FilterRules.ofTablesIn(filter));
    }

    /**
     * Defines the new tables in memory, whose other schemas were restored from a history.
     *
     * @param before the filter of these schemas; null if it is not known
     * @return what has changed; null if nothing has, or the earlier filter is not known
     * @throws SourceException if the schema of a new table at the start is not known
     * @throws IOException if the source cannot be reached
     */
    @Nullable FilterChange apply(@Nullable FilterRules before, TableCatalog catalog, DumpStart start, SourceConnection connection)
            throws IOException {
        if (before == null || !differs(before)) {
            return null;
        }
        TableFilter former = before.tables();
        List<TableName> added = queries.tables(filter).stream()
                .filter(table -> !former.passes(table.schema(), table.table()))
                .toList();
        List<TableName> dropped = queries.tables(former).stream()
                .filter(table -> !filter.passes(table.schema(), table.table()))
                .toList();
        List<TableName> unknown =
                added.stream().filter(table -> !catalog.tables().knows(table)).toList();
        define(unknown, catalog, start, connection);
        FilterChange change = FilterChange.of(start.toString(), added, dropped);
        if (added.isEmpty() && dropped.isEmpty()) {
            warnOfNoEffect(before, start);
            return change;
        }
        LOG.warn(
                "the filter differs from that of the schema history at the start position; rows of the new tables before it are not sent: instance={}"
                        + " start={} new_tables={} names={} dropped_tables={} names={}",
                instance,
                start,
                change.addedTotal(),
                change.added(),
                change.droppedTotal(),
                change.dropped());
        return change;
    }

    /** As with a blank after a comma, which belongs to the next expression. */
    private void warnOfNoEffect(FilterRules before, DumpStart start) {
        FilterRules now = FilterRules.ofTablesIn(filter);
        LOG.warn(
                "the filter is another one than that of the schema history at the start position, and accepts the same of the existing tables:"
                        + " instance={} start={} included=[{}] before=[{}] excluded=[{}] before=[{}]"
                        + " remedy=if it is to accept a table that exists, look for a blank, a case or an escape that differs from its name",
                instance,
                start,
                now.include(),
                before.include(),
                now.exclude(),
                before.exclude());
    }

    private void define(List<TableName> unknown, TableCatalog catalog, DumpStart start, SourceConnection connection)
            throws IOException {
        if (unknown.isEmpty()) {
            return;
        }
        List<TableName> read = new ArrayList<>();
        PagedDefinitions.read(
                queries,
                unknown,
                catalog,
                true,
                (table, create) -> {
                    read.add(table);
                    return catalog.define(table, create);
                },
                done -> {});
        BinlogPosition end = connection.facts().end().position(); // after the definitions were read
        BinlogPosition position = start.position();
        if (end.equals(position)) {
            return;
        }
        LaterChanges changes = position == null
                ? null
                : search.between(
                        position,
                        end,
                        start.byGtids() ? start.executed() : null,
                        SearchedBinlog.of(connection),
                        "the filter accepts tables that it did not " + earlier);
        List<String> changed = new ArrayList<>();
        for (TableName table : read) {
            LaterChanges.Change change = changes == null ? null : changes.of(table);
            boolean isWanted = reloaded != null && reloaded.passes(table.schema(), table.table());
            BinlogPosition unread = changes == null ? null : changes.firstUnread(table);
            if (isWanted || changes != null && change == null && unread == null) {
                continue; // its columns are those of the start
            }
            catalog.tables().forget(table);
            if (unread != null) {
                changed.add(table + " (by the DDL at " + unread + ", whose form is not known)");
            } else if (changes == null || change == null) {
                changed.add(table.toString());
            } else if (!change.created() || changes.hasUnnamedRows(table)) {
                changed.add(table + " (by the DDL at " + change.at() + ")");
            }
        }
        if (!changed.isEmpty()) {
            throw rejected(changed, start, changes == null);
        }
    }

    private SourceException rejected(List<String> tables, DumpStart start, boolean isUnread) {
        int shown = Math.min(tables.size(), FilterChange.MAX_NAMES);
        return new SourceException(
                SourceFailure.MISCONFIGURED,
                ("the filter accepts %d tables that it did not %s, and whose columns at the start position %s are not known, since"
                                + " %s: %s%s; set the filter as it was, let the instance pass that position, and extend the filter then; or list the tables"
                                + " in canal.instance.schema.reload for one start, if they may be read with the columns that they have now")
                        .formatted(
                                tables.size(),
                                earlier,
                                start,
                                isUnread
                                        ? "the binlog from there to its end cannot be searched for DDL"
                                        : "they were changed after it",
                                tables.subList(0, shown),
                                shown < tables.size() ? " and more" : ""));
    }
}
