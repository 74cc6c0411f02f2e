package io.sluice.schema.ddl;

import io.sluice.schema.canal.StatementChange;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.ddl.catalog.TemporaryUse;
import io.sluice.schema.definition.AlterItem;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.TableName;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A statement that is, or may be, of temporary tables: its session uses some in it, or has used some before in the same procedure. As far as it is of temporary
 * tables, it does not change the table schemas.
 */
sealed interface TemporaryTableStatement extends Statement {
    /**
     * What a statement of such a session means.
     *
     * @param isTemporary tells those tables that are known to be temporary
     * @param session the session that executed it
     * @return the statement itself if it means the same in any session
     */
    static Statement of(Statement statement, Predicate<TableName> isTemporary, long session) {
        if (statement instanceof TableStatement.CreateTableLike create) {
            return create.temporary() ? create : like(create, isTemporary);
        }
        if (statement instanceof TableStatement.AlterTable alter) {
            return isTemporary.test(alter.name()) ? new Change(alter) : altered(alter, session);
        }
        if (statement instanceof TableStatement.TableChange change && change.dropsPrimaryKey()) {
            return isTemporary.test(change.name()) ? new Change(change) : new DoubtfulChange(change, session);
        }
        return statement;
    }

    private static Statement altered(TableStatement.AlterTable alter, long session) {
        boolean changesNothing =
                alter.newName() == null && alter.items().stream().allMatch(AlterItem.NoColumns.class::isInstance);
        return changesNothing ? alter : new DoubtfulChange(alter, session);
    }

    private static Statement like(TableStatement.CreateTableLike create, Predicate<TableName> isTemporary) {
        return isTemporary.test(create.original()) ? new LikeTemporary(create) : new DoubtfulLike(create);
    }

    /** {@code CREATE TABLE .. LIKE} a temporary table, whose columns are not known. */
    record LikeTemporary(TableStatement.CreateTableLike create) implements TemporaryTableStatement {
        @Override
        public List<StatementChange> changes() {
            return create.changes();
        }

        @Override
        public List<TableName> tables() {
            return create.tables();
        }

        @Override
        public TemporaryUse temporaryUse() {
            return TemporaryUse.CERTAIN;
        }

        @Override
        public void applyTo(TableCatalog catalog) throws UnreadableSqlException {
            throw new UnreadableSqlException("the original is a temporary table");
        }
    }

    /** A statement that may be of a temporary table. What it does to the schemas is that of the same statement of a permanent one, in doubt. */
    sealed interface Doubtful extends TemporaryTableStatement {
        /** The statement as one of a permanent table. */
        Statement certain();

        @Override
        default List<StatementChange> changes() {
            return certain().changes();
        }

        @Override
        default List<TableName> tables() {
            return certain().tables();
        }

        @Override
        default boolean leavesColumns() {
            return certain().leavesColumns();
        }

        @Override
        default List<TableEffect> effects() {
            return certain().effects();
        }

        @Override
        default boolean isBeyondCanal() {
            return certain().isBeyondCanal();
        }

        @Override
        default TemporaryUse temporaryUse() {
            return TemporaryUse.POSSIBLE;
        }
    }

    /**
     * {@code CREATE TABLE .. LIKE} a table that may be a temporary one. The columns of the permanent one are taken, unless the source has others.
     *
     * <p>MariaDB flags each {@code CREATE OR REPLACE TABLE .. LIKE} that has replaced a table.
     */
    record DoubtfulLike(TableStatement.CreateTableLike create) implements Doubtful {
        @Override
        public Statement certain() {
            return create;
        }

        @Override
        public boolean changesSchemas(TableCatalog catalog) {
            return create.changesSchemas(catalog);
        }

        @Override
        public void applyTo(TableCatalog catalog) throws UnreadableSqlException, IOException {
            boolean isThere = catalog.tables().exists(create.name());
            if (isThere
                    && (create.ifNotExists()
                            || create.orReplace() && catalog.source().mariaDb())) {
                create.applyTo(catalog);
            } else {
                catalog.tables().putInDoubt(create.copy(catalog));
            }
        }
    }

    /** A change of a table that may be a temporary one: the permanent one of the name has the schema before it or the one after it. */
    record DoubtfulChange(TableStatement certain, long session) implements Doubtful {
        private static final String REASON = "it may be of a temporary table";

        @Override
        public void applyTo(TableCatalog catalog) throws UnreadableSqlException, IOException {
            if (catalog.tables().known(tables().get(0)) == null) {
                throw new UnreadableSqlException(REASON);
            }
            if (certain instanceof TableStatement.AlterTable alter) {
                apply(alter, catalog);
            } else if (certain instanceof TableStatement.TableChange change) {
                catalog.doubts().alter(change.name(), catalog.sessionHere(session), change.change(catalog));
            }
        }

        /**
         * A new name tells which table it was: if rows come of a table with the old name, that is still the permanent one, and if they come of one with
         * the new name, that is the renamed one.
         */
        private void apply(TableStatement.AlterTable alter, TableCatalog catalog) throws UnreadableSqlException {
            TableName name = alter.name();
            TableName newName = alter.newName();
            if (newName == null) {
                catalog.doubts().alter(name, catalog.sessionHere(session), alter.change(catalog));
            } else if (!catalog.tables().exists(newName)) {
                catalog.doubts()
                        .rename(
                                name,
                                newName,
                                alter.change(catalog),
                                alter.items().size() > 1);
            } else if (catalog.tables().isSame(name, newName)) {
                throw new UnreadableSqlException(REASON);
            }
        }
    }

    /** Any change of a temporary table, which has no row events, and must not change a table of the same name that has. */
    record Change(Statement statement) implements TemporaryTableStatement {
        @Override
        public List<StatementChange> changes() {
            return statement.changes();
        }

        @Override
        public boolean isBeyondCanal() {
            return statement.isBeyondCanal();
        }
    }

    /**
     * MariaDB's {@code RENAME TABLE} of temporary and permanent tables.
     *
     * @param whole as it is written
     * @param permanent what it does to permanent tables
     */
    record PartlyTemporaryRename(TableStatement.RenameTables whole, TableStatement.RenameTables permanent)
            implements TemporaryTableStatement {
        @Override
        public List<StatementChange> changes() {
            return whole.changes();
        }

        @Override
        public List<TableName> tables() {
            return permanent.tables();
        }

        @Override
        public List<TableEffect> effects() {
            return permanent.effects();
        }

        @Override
        public void applyTo(TableCatalog catalog) {
            permanent.applyTo(catalog);
        }

        @Override
        public String recordedText(String sql) {
            return permanent.renamings().stream()
                    .map(renaming -> quoted(renaming.from()) + " TO " + quoted(renaming.to()))
                    .collect(Collectors.joining(
                            ", ", permanent.ifExists() ? "RENAME TABLE IF EXISTS " : "RENAME TABLE ", ""));
        }

        private static String quoted(TableName name) {
            return quoted(name.schema()) + "." + quoted(name.table());
        }

        private static String quoted(String name) {
            return "`" + name.replace("`", "``") + "`";
        }
    }
}
