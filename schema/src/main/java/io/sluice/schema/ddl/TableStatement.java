package io.sluice.schema.ddl;

import io.sluice.protocol.entry.EventType;
import io.sluice.schema.canal.StatementChange;
import io.sluice.schema.ddl.catalog.RecheckReason;
import io.sluice.schema.ddl.catalog.SchemaChange;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.definition.AlterItem;
import io.sluice.schema.definition.Alteration;
import io.sluice.schema.definition.TableBody;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A statement that makes, changes, renames or drops tables: permanent ones, unless it says {@code TEMPORARY}. */
sealed interface TableStatement extends Statement {
    /** A statement that creates a table. */
    sealed interface Creation extends TableStatement {
        TableName name();

        boolean temporary();

        /** Whether another table of the name may have been there. */
        boolean orReplace();

        boolean ifNotExists();

        @Override
        default List<StatementChange> changes() {
            return List.of(StatementChange.ofTable(EventType.CREATE, name()));
        }

        @Override
        default List<TableName> tables() {
            return temporary() ? List.of() : List.of(name());
        }

        @Override
        default boolean changesSchemas(TableCatalog catalog) {
            return !(temporary() || (ifNotExists() && catalog.tables().exists(name())));
        }

        @Override
        default List<NameUse> nameUses() {
            return NameUse.of(tables(), orReplace() || ifNotExists() ? NameUse.Kind.OTHER : NameUse.Kind.FREE);
        }

        /** Without {@code IF NOT EXISTS} the table was not there before. */
        @Override
        default boolean leavesColumns() {
            return ifNotExists();
        }
    }

    /**
     * {@code CREATE TABLE}.
     *
     * @param orReplace whether another table of the name may have been there
     * @param body null if the columns come from a query
     */
    record CreateTable(
            TableName name,
            boolean temporary,
            boolean orReplace,
            boolean ifNotExists,
            @Nullable TableBody body) implements Creation {
        @Override
        public List<TableEffect> effects() {
            return temporary ? List.of() : List.of(TableEffect.made(name, !orReplace, body != null));
        }

        @Override
        public void applyTo(TableCatalog catalog) throws UnreadableSqlException {
            if (temporary) {
                return; // a temporary table has no row events, and must not hide one that has
            }
            if (ifNotExists && catalog.tables().exists(name)) {
                if (catalog.doubts().isNameInDoubt(name)) {
                    addAlternative(catalog);
                }
                return;
            }
            if (body == null) {
                throw new UnreadableSqlException("the columns come from a query");
            }
            catalog.tables()
                    .put(
                            body.toSchema(name, null),
                            ifNotExists ? RecheckReason.MAY_HAVE_BEEN_THERE : RecheckReason.NONE);
        }

        private void addAlternative(TableCatalog catalog) {
            if (body == null) {
                return;
            }
            try {
                catalog.doubts().addAlternative(body.toSchema(name, null));
            } catch (UnreadableSqlException e) {
                // the table is probably that which was renamed, so its schema is kept
            }
        }
    }

    /** {@code CREATE TABLE .. LIKE ..}. */
    record CreateTableLike(
            TableName name, boolean temporary, boolean orReplace, boolean ifNotExists, TableName original)
            implements Creation {
        @Override
        public List<TableEffect> effects() {
            return temporary ? List.of() : List.of(TableEffect.copy(name, !orReplace, original));
        }

        @Override
        public void applyTo(TableCatalog catalog) throws UnreadableSqlException, IOException {
            if (temporary) {
                return;
            }
            if (ifNotExists && catalog.tables().exists(name)) {
                TableSchema other =
                        catalog.doubts().isNameInDoubt(name) ? catalog.tables().known(original) : null;
                if (other != null) {
                    catalog.doubts().addAlternative(other.withName(name));
                }
                return;
            }
            catalog.tables().put(copy(catalog), ifNotExists ? RecheckReason.MAY_HAVE_BEEN_THERE : RecheckReason.NONE);
            catalog.doubts().copy(original, name);
        }

        /** The schema of the new table. */
        TableSchema copy(TableCatalog catalog) throws UnreadableSqlException, IOException {
            TableSchema like = catalog.table(original);
            if (like == null) {
                throw new UnreadableSqlException("there is no table " + original);
            }
            return like.withName(name);
        }
    }

    /** {@code ALTER TABLE}. */
    record AlterTable(TableName name, List<AlterItem> items) implements TableStatement {
        @Override
        public List<StatementChange> changes() {
            List<StatementChange> changes = new ArrayList<>();
            TableName newName = newName();
            EventType type = type();
            if (type != null && type != EventType.RENAME) {
                changes.add(StatementChange.ofTable(type, name));
            }
            if (newName != null) {
                changes.add(StatementChange.ofRename(name, newName));
            }
            return changes;
        }

        /** Options of the table matter to columns that are added later only. */
        @Override
        public boolean leavesColumns() {
            return items.stream().allMatch(item -> item.leavesColumns() || item instanceof AlterItem.TableOptions);
        }

        /** A new name was free before. */
        @Override
        public List<TableEffect> effects() {
            TableName newName = newName();
            return newName == null
                    ? List.of(TableEffect.added(name, addedColumns()))
                    : List.of(TableEffect.change(name), TableEffect.renamed(newName, name));
        }

        /** The names of the columns that it adds, if it does nothing else to columns or to the defaults of later ones; null if it does. */
        private @Nullable List<String> addedColumns() {
            List<String> added = new ArrayList<>();
            for (AlterItem item : items) {
                if (item instanceof AlterItem.AddColumns columns && !columns.ifNotExists()) {
                    columns.columns().forEach(column -> added.add(column.name()));
                } else if (!(item.leavesColumns()
                        || item instanceof AlterItem.AddPrimaryKey key
                                && !key.key().hasPeriod()
                                && added.containsAll(key.key().columns())
                        || item instanceof AlterItem.TableOptions options && options.leavesCharset())) {
                    return null;
                }
            }
            return added;
        }

        /** Options of the table decide, unless all else is a new name. */
        private @Nullable EventType type() {
            List<AlterItem> others = items.stream()
                    .filter(item -> !(item instanceof AlterItem.TableOptions))
                    .toList();
            boolean onlyRenames = others.size() == 1 && others.get(0) instanceof AlterItem.RenameTable;
            if (others.size() < items.size() && !onlyRenames) {
                return EventType.ALTER;
            }
            EventType type = null;
            for (AlterItem item : others) {
                type = type == null ? item.type() : type;
            }
            return items.isEmpty() ? EventType.ALTER : type;
        }

        /** The last name that it gives to the table; null if it gives none. */
        @Nullable TableName newName() {
            TableName newName = null;
            for (AlterItem item : items) {
                if (item instanceof AlterItem.RenameTable rename) {
                    newName = rename.newName();
                }
            }
            return newName;
        }

        @Override
        public List<TableName> tables() {
            TableName newName = newName();
            return newName == null ? List.of(name) : List.of(name, newName);
        }

        @Override
        public void applyTo(TableCatalog catalog) throws UnreadableSqlException, IOException {
            if (catalog.tables().known(name) != null) {
                catalog.tables().alter(name, change(catalog));
            }
            TableName newName = newName();
            if (newName != null) {
                catalog.tables().rename(name, newName);
                if (items.size() > 1) {
                    catalog.tables()
                            .recheckSpelling(newName); // canal loses the table then, and takes it from the source
                }
            }
        }

        /** What it does to the columns. */
        SchemaChange change(TableCatalog catalog) {
            return table -> Alteration.apply(table, items, catalog.source());
        }

        @Override
        public boolean isBeyondCanal() {
            return items.stream().anyMatch(AlterItem.AddPartitionsByCount.class::isInstance);
        }
    }

    /** MariaDB's {@code ALTER TABLE .. CONVERT PARTITION .. TO TABLE}: the new table has the columns of the partitioned one. */
    record PartitionToTable(TableName partitioned, TableName made) implements TableStatement {
        @Override
        public List<StatementChange> changes() {
            return List.of(StatementChange.ofTable(EventType.ALTER, partitioned));
        }

        @Override
        public List<TableName> tables() {
            return List.of(made);
        }

        @Override
        public List<NameUse> nameUses() {
            return NameUse.of(tables(), NameUse.Kind.FREE);
        }

        @Override
        public List<TableEffect> effects() {
            return List.of(TableEffect.copy(made, true, partitioned));
        }

        @Override
        public void applyTo(TableCatalog catalog) throws UnreadableSqlException, IOException {
            TableSchema original = catalog.table(partitioned);
            if (original == null) {
                throw new UnreadableSqlException("there is no table " + partitioned);
            }
            catalog.tables().put(original.withName(made), RecheckReason.NONE);
        }
    }

    /** MariaDB's {@code ALTER TABLE .. CONVERT TABLE .. TO PARTITION}, after which the converted table is gone. */
    record TableToPartition(TableName partitioned, TableName converted) implements TableStatement {
        @Override
        public List<StatementChange> changes() {
            return List.of(StatementChange.ofTable(EventType.ALTER, partitioned));
        }

        @Override
        public List<TableName> tables() {
            return List.of(converted);
        }

        @Override
        public void applyTo(TableCatalog catalog) {
            catalog.tables().forget(converted);
        }
    }

    /** {@code DROP TABLE} of one or more. */
    record DropTables(List<TableName> names, boolean temporary) implements TableStatement {
        @Override
        public List<StatementChange> changes() {
            List<StatementChange> changes = new ArrayList<>();
            for (TableName name : names) {
                changes.add(StatementChange.ofTable(EventType.ERASE, name));
            }
            return changes;
        }

        @Override
        public List<TableName> tables() {
            return temporary ? List.of() : names;
        }

        /** A statement that fails is in the binlog if it has dropped some of its tables; then the others may be there still. */
        @Override
        public void applyTo(TableCatalog catalog) {
            tables().forEach(names.size() == 1 ? catalog.tables()::drop : catalog.tables()::forget);
        }
    }

    /** A pair of names in a {@code RENAME TABLE}. */
    record Renaming(TableName from, TableName to) {}

    /**
     * {@code RENAME TABLE}; the pairs take effect one after the other.
     *
     * @param ifExists whether a pair whose table does not exist is left out
     */
    record RenameTables(List<Renaming> renamings, boolean ifExists) implements TableStatement {
        @Override
        public List<StatementChange> changes() {
            List<StatementChange> changes = new ArrayList<>();
            for (Renaming renaming : renamings) {
                changes.add(StatementChange.ofRename(renaming.from(), renaming.to()));
            }
            return changes;
        }

        @Override
        public List<TableName> tables() {
            List<TableName> tables = new ArrayList<>();
            for (Renaming renaming : renamings) {
                tables.add(renaming.from());
                tables.add(renaming.to());
            }
            return tables;
        }

        /** A new name was free before. */
        @Override
        public List<TableEffect> effects() {
            return renamings.stream()
                    .flatMap(renaming -> Stream.of(
                            TableEffect.change(renaming.from()), TableEffect.renamed(renaming.to(), renaming.from())))
                    .toList();
        }

        /**
         * Renames the tables as permanent ones. On MariaDB they may be temporary ones, according to the binlog, and then no permanent one has
         * changed: a new name is still free, or still that of the table that had it.
         */
        @Override
        public void applyTo(TableCatalog catalog) {
            boolean mayBeTemporary = catalog.source().mariaDb();
            List<TableName> free = renamings.stream()
                    .map(Renaming::to)
                    .filter(name -> mayBeTemporary && !catalog.tables().exists(name))
                    .toList();
            List<TableSchema> present = new ArrayList<>();
            for (Renaming renaming : renamings) {
                if (ifExists && !catalog.tables().exists(renaming.from())) {
                    takeUnknown(renaming, catalog);
                    continue;
                }
                TableSchema there = catalog.tables().known(renaming.to());
                if (mayBeTemporary && there != null) {
                    present.add(there);
                }
                catalog.tables().rename(renaming.from(), renaming.to());
            }
            free.forEach(catalog.doubts()::doubtName);
            present.forEach(catalog.doubts()::addAlternative);
        }

        /** A new name that a table has is not free, so that there was nothing to rename; else there may have been. */
        private static void takeUnknown(Renaming renaming, TableCatalog catalog) {
            if (!catalog.tables().exists(renaming.to())) {
                catalog.tables().forget(renaming.from());
                catalog.tables().forget(renaming.to());
                catalog.tables().addSuspect(renaming.to());
            }
        }
    }

    /** {@code TRUNCATE}, {@code CREATE INDEX} and {@code DROP INDEX}. */
    record TableChange(EventType type, TableName name, boolean dropsPrimaryKey) implements TableStatement {
        @Override
        public List<StatementChange> changes() {
            return List.of(StatementChange.ofTable(type, name));
        }

        @Override
        public List<TableName> tables() {
            return dropsPrimaryKey ? List.of(name) : List.of();
        }

        /** What it does to the columns, if it drops the primary key. */
        SchemaChange change(TableCatalog catalog) {
            List<AlterItem> items = List.of(new AlterItem.DropPrimaryKey(type));
            return table -> Alteration.apply(table, items, catalog.source());
        }

        @Override
        public void applyTo(TableCatalog catalog) throws UnreadableSqlException {
            if (dropsPrimaryKey) {
                catalog.tables().alter(name, change(catalog));
            }
        }
    }
}
