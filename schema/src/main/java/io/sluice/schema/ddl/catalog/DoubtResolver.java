package io.sluice.schema.ddl.catalog;

import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines which schema a table has if it may have several: by its rows, by the session that changed them, or by the source. {@link TableDoubts} has the
 * schemas that are in doubt, and {@link TableCatalog} takes the one that is determined. For one thread.
 */
public final class DoubtResolver {
    private static final Logger LOG = LoggerFactory.getLogger(DoubtResolver.class);

    private final TableCatalog catalog;

    /** Creates it for the tables of a catalog. */
    public DoubtResolver(TableCatalog catalog) {
        this.catalog = catalog;
    }

    /**
     * Ends the doubts about a table whose rows have come, so that its name is that of a permanent one. If it has one of several schemas, since
     * statements may have been of temporary tables, it is the one that the rows can be of. If they can be of several, but come from the session that
     * executed the statements, these were of the permanent table, which a temporary one would have hidden. Otherwise the source is asked.
     *
     * @param session the session that changed the rows; {@link BinlogSession#NO_ID} if it is not known
     * @param fits whether the rows can be of a schema
     * @return the schema that the table has; null if it is not known, or cannot be determined
     * @throws IOException if the source could not be asked
     */
    @Nullable TableSchema resolveByRows(TableName name, long session, Predicate<TableSchema> fits) throws IOException {
        catalog.tables().note(name, table -> table.withNameInDoubt(false));
        TableSchema known = catalog.tables().known(name);
        TableDoubt doubt = catalog.doubts().of(name);
        if (known == null || doubt == null) {
            return known;
        }
        List<TableSchema> fitting = doubt.others().stream().filter(fits).toList();
        boolean isKnown = fits.test(known);
        if (fitting.isEmpty() || isKnown && doubt.isBy(catalog.sessionHere(session))) {
            return isKnown && doubt.isFlagged() ? catalog.takeDerived(known) : withoutDoubt(known);
        }
        if (!isKnown && fitting.size() == 1) {
            return catalog.takeDerived(fitting.get(0));
        }
        return confirmedBySource(known, doubt);
    }

    private TableSchema withoutDoubt(TableSchema known) {
        catalog.tables().note(known.name(), table -> table.withDoubt(null));
        return known;
    }

    /** The schema that a table has, if the source confirms one of those that it may have. */
    private @Nullable TableSchema confirmedBySource(TableSchema known, TableDoubt doubt) throws IOException {
        PastDefinition definition = catalog.past().recallOrRead(known.name(), catalog.at());
        if (definition != null && doubt.mayBe(definition.table())) {
            TableCatalog.warnOfOtherColumns("the source's", known, definition.table());
            return catalog.take(definition);
        }
        boolean isConfirmed = definition != null && definition.table().agreesWith(known);
        if (!isConfirmed
                && doubt.isFlagged()
                && (definition != null || !catalog.source().mariaDb())) {
            return definition == null ? unknown(known, doubt) : catalog.take(definition);
        }
        if (!isConfirmed) {
            LOG.warn(
                    "it is not known from the source whether a DDL was of temporary tables, taking it for one of permanent ones: table={} columns={} else={}",
                    known.name(),
                    names(known),
                    doubt.others().stream().map(DoubtResolver::names).toList());
        }
        return isConfirmed && doubt.isFlagged() ? catalog.takeDerived(known) : withoutDoubt(known);
    }

    /** The rows of MySQL state their session, so where these come from another one it is as likely that the table was a temporary one. */
    private @Nullable TableSchema unknown(TableSchema known, TableDoubt doubt) {
        LOG.warn(
                "it is not known from the source whether a DDL was of temporary tables: table={} columns={} else={}",
                known.name(),
                names(known),
                doubt.others().stream().map(DoubtResolver::names).toList());
        catalog.tables().forgetColumns(known.name());
        return null;
    }

    /** Reads a table that may have several schemas from the source; if that does not decide, the doubt stays. */
    public void resolveBySource(TableName name) throws IOException {
        TableDoubt doubt = catalog.doubts().of(name);
        TableSchema known = catalog.tables().known(name);
        if (doubt != null && doubt.isFlagged() && known != null) {
            PastDefinition definition = catalog.past().recallOrRead(known.name(), catalog.at());
            if (definition != null) {
                boolean isKnown = known.agreesWith(definition.table());
                TableSchema found = isKnown ? catalog.takeDerived(known) : catalog.take(definition);
                LOG.debug("read the schema of a table from the source: table={} columns={}", name, names(found));
            }
        }
    }

    private static List<String> names(TableSchema table) {
        return table.columns().stream().map(ColumnSchema::name).toList();
    }
}
