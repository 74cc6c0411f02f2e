package io.sluice.schema.ddl;

import io.sluice.schema.canal.StatementChange;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.ddl.catalog.TemporaryUse;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.TableName;
import java.io.IOException;
import java.util.List;

/** A parsed statement: the change that its entry states, and its effect on the table schemas. */
sealed interface Statement
        permits TableStatement,
                TemporaryTableStatement,
                SequenceStatement,
                SchemaStatement,
                Statement.RowChange,
                Statement.UnreadableDdl,
                Statement.Silent {
    /** The changes that the entry states if canal can parse the text; empty if there is no entry. */
    List<StatementChange> changes();

    /** The tables whose schema the statement may change. */
    default List<TableName> tables() {
        return List.of();
    }

    /**
     * Applies the statement to the table schemas.
     *
     * @throws UnreadableSqlException if the statement does not match the known table schemas, which are unchanged then
     * @throws IOException if the source had to be asked and could not be
     */
    default void applyTo(TableCatalog catalog) throws UnreadableSqlException, IOException {
        // most statements change none
    }

    /** Whether it may change the table schemas, or the character set of a schema's tables to come. */
    default boolean changesSchemas(TableCatalog catalog) {
        return !tables().isEmpty();
    }

    /** Whether no table that existed before it has other columns after it. */
    default boolean leavesColumns() {
        return tables().isEmpty();
    }

    /** Whether it was of temporary tables. */
    default TemporaryUse temporaryUse() {
        return TemporaryUse.NONE;
    }

    /**
     * The text for the schema history, which does not know of sessions.
     *
     * @param sql the text as it is in the binlog
     */
    default String recordedText(String sql) {
        return sql;
    }

    /** What it does to the columns of its tables, one after the other, if it does anything to them. */
    default List<TableEffect> effects() {
        return tables().stream().map(TableEffect::change).toList();
    }

    /** What it shows about what had the names that it uses. */
    default List<NameUse> nameUses() {
        return NameUse.of(tables(), NameUse.Kind.OTHER);
    }

    /** Whether canal's parser rejects the text although Druid accepts it. */
    default boolean isBeyondCanal() {
        return false;
    }

    /** A change of rows in statement format. */
    record RowChange(StatementChange change) implements Statement {
        @Override
        public List<StatementChange> changes() {
            return List.of(change);
        }
    }

    /** A DDL whose head could be parsed, but not its effect on the table schemas. */
    record UnreadableDdl(List<StatementChange> changes, List<TableName> tables, String reason) implements Statement {
        @Override
        public void applyTo(TableCatalog catalog) throws UnreadableSqlException {
            throw new UnreadableSqlException(reason);
        }
    }

    /**
     * A statement that changes no table schema and makes no entry.
     *
     * @param known false if that holds only if canal can read its text
     * @param mayBeOfTables whether it is of no known form, so that it may change a table schema after all
     */
    record Silent(boolean known, boolean mayBeOfTables) implements Statement {
        /** A statement that changes no tables, or is of no known form. */
        Silent(boolean known) {
            this(known, !known);
        }

        @Override
        public List<StatementChange> changes() {
            return List.of();
        }
    }
}
