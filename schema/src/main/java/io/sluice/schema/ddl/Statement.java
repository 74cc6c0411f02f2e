package io.sluice.schema.ddl;

import io.sluice.protocol.entry.EventType;
import io.sluice.schema.canal.StatementChange;
import io.sluice.schema.definition.AlterItem;
import io.sluice.schema.definition.Alteration;
import io.sluice.schema.definition.TableBody;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A parsed statement: the change that its entry states, and its effect on the table schemas. */
sealed interface Statement {
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

    /**
     * The statement in a session that uses temporary tables in it, or has used some before in the same procedure.
     *
     * @param isTemporary tells those tables that are known to be temporary
     * @param session the session
     */
    default Statement ofSession(Predicate<TableName> isTemporary, long session) {
        return this;
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

    /** What it tells about what had the names that it uses. */
    default List<NameUse> nameUses() {
        return uses(tables(), NameUse.Kind.OTHER);
    }

    private static List<NameUse> uses(List<TableName> names, NameUse.Kind kind) {
        return names.stream().map(name -> new NameUse(name, kind)).toList();
    }

    /** Whether canal's parser rejects the text although Druid accepts it. */
    default boolean isBeyondCanal() {
        return false;
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
            @Nullable TableBody body) implements Statement {
        @Override
        public List<StatementChange> changes() {
            return List.of(StatementChange.ofTable(EventType.CREATE, name));
        }

        @Override
        public List<TableName> tables() {
            return temporary ? List.of() : List.of(name);
        }

        @Override
        public boolean changesSchemas(TableCatalog catalog) {
            return !(temporary || (ifNotExists && catalog.hasTable(name)));
        }

        @Override
        public List<NameUse> nameUses() {
            return uses(tables(), orReplace || ifNotExists ? NameUse.Kind.OTHER : NameUse.Kind.FREE);
        }

        @Override
        public List<TableEffect> effects() {
            return temporary ? List.of() : List.of(TableEffect.made(name, !orReplace, body != null));
        }

        /** Without {@code IF NOT EXISTS} the table was not there before. */
        @Override
        public boolean leavesColumns() {
            return ifNotExists;
        }

        @Override
        public void applyTo(TableCatalog catalog) throws UnreadableSqlException, IOException {
            if (temporary) {
                return; // a temporary table has no row events, and must not hide one that has
            }
            if (ifNotExists && catalog.hasTable(name)) {
                if (catalog.isNameInDoubt(name)) {
                    addAlternative(catalog);
                }
                return;
            }
            if (body == null) {
                throw new UnreadableSqlException("the columns come from a query");
            }
            TableSchema table = schema(body, catalog);
            catalog.put(table, ifNotExists ? RecheckReason.MAY_HAVE_BEEN_THERE : RecheckReason.NONE);
        }

        private TableSchema schema(TableBody columns, TableCatalog catalog) throws UnreadableSqlException, IOException {
            String schemaCharset = columns.needsSchemaCharset() ? catalog.schemaCharset(name.schema()) : null;
            return columns.toSchema(name, schemaCharset);
        }

        private void addAlternative(TableCatalog catalog) throws IOException {
            if (body == null) {
                return;
            }
            try {
                catalog.addAlternative(schema(body, catalog));
            } catch (UnreadableSqlException e) {
                // the table is probably that which was renamed, so its schema is kept
            }
        }
    }

    /** {@code CREATE TABLE .. LIKE ..}. */
    record CreateTableLike(
            TableName name, boolean temporary, boolean orReplace, boolean ifNotExists, TableName original)
            implements Statement {
        @Override
        public List<StatementChange> changes() {
            return List.of(StatementChange.ofTable(EventType.CREATE, name));
        }

        @Override
        public List<TableName> tables() {
            return temporary ? List.of() : List.of(name);
        }

        @Override
        public boolean changesSchemas(TableCatalog catalog) {
            return !(temporary || (ifNotExists && catalog.hasTable(name)));
        }

        @Override
        public List<NameUse> nameUses() {
            return uses(tables(), orReplace || ifNotExists ? NameUse.Kind.OTHER : NameUse.Kind.FREE);
        }

        @Override
        public List<TableEffect> effects() {
            return temporary ? List.of() : List.of(TableEffect.copy(name, !orReplace, original));
        }

        /** Without {@code IF NOT EXISTS} the table was not there before. */
        @Override
        public boolean leavesColumns() {
            return ifNotExists;
        }

        @Override
        public Statement ofSession(Predicate<TableName> isTemporary, long session) {
            if (temporary) {
                return this;
            }
            return isTemporary.test(original) ? new LikeTemporary(this) : new DoubtfulLike(this);
        }

        @Override
        public void applyTo(TableCatalog catalog) throws UnreadableSqlException, IOException {
            if (temporary) {
                return;
            }
            if (ifNotExists && catalog.hasTable(name)) {
                TableSchema other = catalog.isNameInDoubt(name) ? catalog.known(original) : null;
                if (other != null) {
                    catalog.addAlternative(other.withName(name));
                }
                return;
            }
            catalog.put(copy(catalog), ifNotExists ? RecheckReason.MAY_HAVE_BEEN_THERE : RecheckReason.NONE);
            catalog.copyDoubt(original, name);
        }

        private TableSchema copy(TableCatalog catalog) throws UnreadableSqlException, IOException {
            TableSchema like = catalog.table(original);
            if (like == null) {
                throw new UnreadableSqlException("there is no table " + original);
            }
            return like.withName(name);
        }
    }

    /** {@code CREATE TABLE .. LIKE} a temporary table, whose columns are not known. */
    record LikeTemporary(CreateTableLike create) implements Statement {
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
    sealed interface Doubtful extends Statement {
        /** The same, of a permanent table. */
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
    record DoubtfulLike(CreateTableLike create) implements Doubtful {
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
            boolean isThere = catalog.hasTable(create.name());
            if (isThere
                    && (create.ifNotExists()
                            || create.orReplace() && catalog.source().mariaDb())) {
                create.applyTo(catalog);
            } else {
                catalog.putInDoubt(create.copy(catalog));
            }
        }
    }

    /** {@code ALTER TABLE}. */
    record AlterTable(TableName name, List<AlterItem> items) implements Statement {
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
                                && added.containsAll(key.key().columns())
                        || item instanceof AlterItem.TableOptions options && options.defaultCharset() == null)) {
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
            if (catalog.known(name) != null) {
                catalog.alter(name, change(catalog));
            }
            TableName newName = newName();
            if (newName != null) {
                catalog.rename(name, newName);
                if (items.size() > 1) {
                    catalog.recheckSpelling(newName); // canal loses the table then, and takes it from the source
                }
            }
        }

        private TableCatalog.Change change(TableCatalog catalog) throws IOException {
            boolean toDefault = items.stream()
                    .anyMatch(item -> item instanceof AlterItem.ConvertCharset convert && convert.charset() == null);
            String schemaCharset = toDefault ? catalog.schemaCharset(name.schema()) : null;
            return table -> Alteration.apply(table, items, schemaCharset, catalog.source());
        }

        /**
         * Applies it if the table may be a temporary one. A new name tells which it was: if rows come of a table with the old name, that is
         * still the permanent one, and if they come of one with the new name, that is the renamed one.
         */
        private void applyInDoubt(TableCatalog catalog, long session) throws UnreadableSqlException, IOException {
            TableName newName = newName();
            if (newName == null) {
                catalog.alterInDoubt(name, session, change(catalog));
            } else if (!catalog.hasTable(newName)) {
                catalog.renameInDoubt(name, newName, change(catalog), items.size() > 1);
            } else if (catalog.isSame(name, newName)) {
                throw new UnreadableSqlException(DoubtfulChange.REASON);
            }
        }

        @Override
        public Statement ofSession(Predicate<TableName> isTemporary, long session) {
            if (isTemporary.test(name)) {
                return new TemporaryTableChange(this);
            }
            return newName() == null && items.stream().allMatch(AlterItem.NoColumns.class::isInstance)
                    ? this
                    : new DoubtfulChange(this, session);
        }

        @Override
        public boolean isBeyondCanal() {
            return items.stream().anyMatch(AlterItem.AddPartitionsByCount.class::isInstance);
        }
    }

    /** MariaDB's {@code ALTER TABLE .. CONVERT PARTITION .. TO TABLE}: the new table has the columns of the partitioned one. */
    record PartitionToTable(TableName partitioned, TableName made) implements Statement {
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
            return uses(tables(), NameUse.Kind.FREE);
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
            catalog.put(original.withName(made), RecheckReason.NONE);
        }
    }

    /** MariaDB's {@code ALTER TABLE .. CONVERT TABLE .. TO PARTITION}, after which the converted table is gone. */
    record TableToPartition(TableName partitioned, TableName converted) implements Statement {
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
            catalog.forget(converted);
        }
    }

    /** {@code DROP TABLE} of one or more. */
    record DropTables(List<TableName> names, boolean temporary) implements Statement {
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

        @Override
        public void applyTo(TableCatalog catalog) {
            tables().forEach(catalog::forget);
        }
    }

    /** A change of a table that may be a temporary one: the permanent one of the name has the schema before it or the one after it. */
    record DoubtfulChange(Statement certain, long session) implements Doubtful {
        private static final String REASON = "it may be of a temporary table";

        @Override
        public void applyTo(TableCatalog catalog) throws UnreadableSqlException, IOException {
            if (catalog.known(tables().get(0)) == null) {
                throw new UnreadableSqlException(REASON);
            }
            if (certain instanceof AlterTable alter) {
                alter.applyInDoubt(catalog, session);
            } else if (certain instanceof TableChange change) {
                catalog.alterInDoubt(change.name(), session, change.change(catalog));
            }
        }
    }

    /** Any change of a temporary table, which has no row events, and must not change a table of the same name that has. */
    record TemporaryTableChange(Statement statement) implements Statement {
        @Override
        public List<StatementChange> changes() {
            return statement.changes();
        }

        @Override
        public boolean isBeyondCanal() {
            return statement.isBeyondCanal();
        }
    }

    /** One of the pairs of a {@code RENAME TABLE}. */
    record Renaming(TableName from, TableName to) {}

    /** {@code RENAME TABLE}; the pairs take effect one after the other. */
    record RenameTables(List<Renaming> renamings) implements Statement {
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
         * Renames the tables as permanent ones. On MariaDB they may be temporary ones, as far as the binlog tells, and then no permanent one has
         * changed: a new name is still free, or still that of the table that had it.
         */
        @Override
        public void applyTo(TableCatalog catalog) {
            boolean mayBeTemporary = catalog.source().mariaDb();
            List<TableName> free = renamings.stream()
                    .map(Renaming::to)
                    .filter(name -> mayBeTemporary && !catalog.hasTable(name))
                    .toList();
            List<TableSchema> present = new ArrayList<>();
            for (Renaming renaming : renamings) {
                TableSchema there = catalog.known(renaming.to());
                if (mayBeTemporary && there != null) {
                    present.add(there);
                }
                catalog.rename(renaming.from(), renaming.to());
            }
            free.forEach(catalog::doubtName);
            present.forEach(catalog::addAlternative);
        }
    }

    /**
     * MariaDB's {@code RENAME TABLE} of temporary and permanent tables.
     *
     * @param whole as it is written
     * @param permanent what it does to permanent tables
     */
    record PartlyTemporaryRename(RenameTables whole, RenameTables permanent) implements Statement {
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
                    .collect(Collectors.joining(", ", "RENAME TABLE ", ""));
        }

        private static String quoted(TableName name) {
            return quoted(name.schema()) + "." + quoted(name.table());
        }

        private static String quoted(String name) {
            return "`" + name.replace("`", "``") + "`";
        }
    }

    /** {@code TRUNCATE}, {@code CREATE INDEX} and {@code DROP INDEX}. */
    record TableChange(EventType type, TableName name, boolean dropsPrimaryKey) implements Statement {
        @Override
        public List<StatementChange> changes() {
            return List.of(StatementChange.ofTable(type, name));
        }

        @Override
        public List<TableName> tables() {
            return dropsPrimaryKey ? List.of(name) : List.of();
        }

        @Override
        public Statement ofSession(Predicate<TableName> isTemporary, long session) {
            if (tables().isEmpty()) {
                return this;
            }
            return isTemporary.test(name) ? new TemporaryTableChange(this) : new DoubtfulChange(this, session);
        }

        private TableCatalog.Change change(TableCatalog catalog) {
            List<AlterItem> items = List.of(new AlterItem.DropPrimaryKey(type));
            return table -> Alteration.apply(table, items, null, catalog.source());
        }

        @Override
        public void applyTo(TableCatalog catalog) throws UnreadableSqlException {
            if (dropsPrimaryKey) {
                catalog.alter(name, change(catalog));
            }
        }
    }

    /** {@code CREATE DATABASE}. */
    record CreateSchema(
            String name, boolean ifNotExists, @Nullable String charset) implements Statement {
        @Override
        public List<StatementChange> changes() {
            return List.of(StatementChange.ofSchema(name));
        }

        @Override
        public boolean changesSchemas(TableCatalog catalog) {
            return true;
        }

        @Override
        public void applyTo(TableCatalog catalog) {
            catalog.createSchema(name, charset, ifNotExists);
        }
    }

    /**
     * {@code ALTER DATABASE}, for which no entry leaves if canal's parser reads it.
     *
     * @param isBeyondCanal whether canal's parser rejects it
     */
    record AlterSchema(String name, @Nullable String charset, boolean isBeyondCanal) implements Statement {
        @Override
        public List<StatementChange> changes() {
            return List.of();
        }

        @Override
        public boolean changesSchemas(TableCatalog catalog) {
            return true;
        }

        @Override
        public void applyTo(TableCatalog catalog) {
            if (charset != null) {
                catalog.alterSchema(name, charset);
            }
        }
    }

    /** {@code DROP DATABASE}. */
    record DropSchema(String name) implements Statement {
        @Override
        public List<StatementChange> changes() {
            return List.of(StatementChange.ofSchema(name));
        }

        @Override
        public List<NameUse> nameUses() {
            return uses(List.of(new TableName(name, "")), NameUse.Kind.OTHER);
        }

        @Override
        public boolean changesSchemas(TableCatalog catalog) {
            return true;
        }

        @Override
        public void applyTo(TableCatalog catalog) {
            catalog.dropSchema(name);
        }
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

    /** MariaDB's {@code CREATE SEQUENCE}: in the binlog a sequence is a table, whose rows are left out. */
    record CreateSequence(TableName name, boolean orReplace, boolean ifNotExists) implements Statement {
        @Override
        public List<StatementChange> changes() {
            return List.of();
        }

        @Override
        public List<TableName> tables() {
            return List.of(name);
        }

        @Override
        public List<NameUse> nameUses() {
            return uses(tables(), orReplace || ifNotExists ? NameUse.Kind.OTHER : NameUse.Kind.FREE);
        }

        /** Rows of sequences do not leave, so their columns do not matter. */
        @Override
        public List<TableEffect> effects() {
            return List.of();
        }

        /** Without {@code IF NOT EXISTS} it was not there before. */
        @Override
        public boolean leavesColumns() {
            return ifNotExists;
        }

        @Override
        public void applyTo(TableCatalog catalog) {
            if (!ifNotExists || !catalog.hasTable(name)) {
                catalog.put(
                        TableSchema.ofSequence(name),
                        ifNotExists ? RecheckReason.MAY_HAVE_BEEN_THERE : RecheckReason.NONE);
            }
        }
    }

    /** MariaDB's {@code DROP SEQUENCE} of one or more; with {@code IF EXISTS} it is in the binlog also if they are tables, which stay. */
    record DropSequences(List<TableName> names, boolean ifExists) implements Statement {
        @Override
        public List<NameUse> nameUses() {
            return uses(names, ifExists ? NameUse.Kind.SEQUENCE_IF_ANY : NameUse.Kind.SEQUENCE);
        }

        @Override
        public List<StatementChange> changes() {
            return List.of();
        }

        @Override
        public List<TableName> tables() {
            return names;
        }

        @Override
        public List<TableEffect> effects() {
            return List.of();
        }

        @Override
        public void applyTo(TableCatalog catalog) {
            names.forEach(catalog::forget);
        }
    }

    /**
     * A statement that changes no table schema and makes no entry.
     *
     * @param known false if that holds only if canal can read its text
     */
    record Silent(boolean known) implements Statement {
        @Override
        public List<StatementChange> changes() {
            return List.of();
        }
    }
}
