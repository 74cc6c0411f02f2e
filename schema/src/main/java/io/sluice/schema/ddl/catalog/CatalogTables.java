package io.sluice.schema.ddl.catalog;

import io.sluice.schema.definition.SourceSpelling;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.IdentifierCase;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The tables in memory, and those that exist but have unknown columns. A table is found by all names that the server takes for the same. For one thread.
 */
public final class CatalogTables {
    private static final int MAX_ABSENT = 1_000;

    private final SourceTraits source;
    private final SchemaCharsets charsets;

    /** Null if types are as statements spell them. */
    private @Nullable SourceSpelling spelling;

    private final Map<TableName, KnownTable> tables = new HashMap<>();
    private final Set<TableName> suspects = new LinkedHashSet<>();
    /** Tables that exist, and whose columns are not known. */
    private final Set<TableName> uncertain = new HashSet<>();

    /** Names of tables that were dropped or renamed. */
    private final Set<TableName> gone = new LinkedHashSet<>();

    /** Tables that a statement has dropped, and none has made since: the newest of them. */
    private final Set<TableName> absent = new LinkedHashSet<>();

    CatalogTables(SourceTraits source, SchemaCharsets charsets) {
        this.source = source;
        this.charsets = charsets;
    }

    /** Spells the types of columns as the source does in its definitions of tables, whatever the spelling in statements that are applied from now on. */
    public void spellAsSource() {
        spelling = new SourceSpelling(source);
    }

    /** The table in memory; null if there is none. */
    @Nullable KnownTable find(TableName name) {
        return tables.get(key(name));
    }

    /** The table schema in memory, also if it must be rechecked; null if there is none. */
    public @Nullable TableSchema known(TableName name) {
        KnownTable known = find(name);
        return known == null ? null : known.schema();
    }

    /** Whether the schema of a table is in memory, so that the source need not be asked for it. */
    public boolean knows(TableName name) {
        return tables.containsKey(key(name));
    }

    /** Whether a table exists according to the stream, also if its columns are not known. */
    public boolean exists(TableName name) {
        return knows(name) || uncertain.contains(key(name));
    }

    /** Whether two names are those of one table. */
    public boolean isSame(TableName one, TableName other) {
        return key(one).equals(key(other));
    }

    /** All tables in memory, in no order. */
    Collection<KnownTable> all() {
        return Collections.unmodifiableCollection(tables.values());
    }

    /** How many tables are in memory. */
    public int count() {
        return tables.size();
    }

    /** The schemas of all tables in memory, in no order. */
    public Collection<TableSchema> schemas() {
        return tables.values().stream().map(KnownTable::schema).toList();
    }

    /** Stores a table whose schema is new, in the spelling of types that is set. */
    void store(KnownTable table) {
        SourceSpelling spelled = spelling;
        absent.remove(key(table.name()));
        tables.put(key(table.name()), spelled == null ? table : table.withSchema(spelled.of(table.schema())));
    }

    /** Changes what is known of a table in memory, if it is there, but not its schema. */
    void note(TableName name, UnaryOperator<KnownTable> change) {
        TableName key = key(name);
        KnownTable known = tables.get(key);
        if (known != null) {
            tables.put(key, change.apply(known));
        }
    }

    /** Puts a table schema, which need not be rechecked if the table cannot have been there. */
    public void put(TableSchema table, RecheckReason recheck) {
        uncertain.remove(key(table.name()));
        boolean certain = recheck == RecheckReason.MAY_HAVE_BEEN_THERE
                && (charsets.isComplete(table.name().schema()) || absent.contains(key(table.name())));
        store(new KnownTable(table, certain ? RecheckReason.NONE : recheck));
    }

    /** Puts a table that may have other columns: the source is asked before its schema is used. */
    public void putInDoubt(TableSchema table) {
        uncertain.remove(key(table.name()));
        store(new KnownTable(table, RecheckReason.MAY_HAVE_BEEN_THERE));
        suspects.add(table.name());
    }

    /**
     * Changes the schema of a table in memory, with the same reason to recheck it.
     *
     * @throws UnreadableSqlException if the change does not match the table schema, which is unchanged then
     */
    public void alter(TableName name, SchemaChange change) throws UnreadableSqlException {
        KnownTable known = find(name);
        if (known != null) {
            store(known.after(change));
        }
    }

    /**
     * Takes columns out of the schema of a table, as it was before they were added.
     *
     * @return whether it had all of them; else nothing has changed
     */
    public boolean removeColumns(TableName name, List<String> columns) {
        KnownTable known = find(name);
        TableSchema before = known == null ? null : PastDefinitions.without(known.schema(), columns);
        if (known == null || before == null) {
            return false;
        }
        store(known.withSchema(before));
        return true;
    }

    /** Has the spelling of types taken from the source before the table schema is used. */
    public void recheckSpelling(TableName name) {
        note(name, known -> known.withRecheck(RecheckReason.SPELLED_BY_SOURCE));
    }

    /** Renames a table; one that is not in memory exists with unknown columns then. */
    public void rename(TableName from, TableName to) {
        if (suspects.remove(from)) {
            suspects.add(to);
        }
        KnownTable known = tables.remove(key(from));
        uncertain.remove(key(from));
        addGone(from);
        if (known == null) {
            suspect(to);
        } else {
            uncertain.remove(key(to));
            store(known.withName(to));
        }
    }

    /** Forgets a table, whether it exists or not: its definition is requested from the source when it is needed next. */
    public void forget(TableName name) {
        tables.remove(key(name));
        uncertain.remove(key(name));
        absent.remove(key(name));
        suspects.remove(name);
        addGone(name);
    }

    /** Forgets a table that does not exist any more. */
    public void drop(TableName name) {
        forget(name);
        absent.add(key(name));
        if (absent.size() > MAX_ABSENT) {
            absent.remove(absent.iterator().next());
        }
    }

    /** Forgets all tables of a schema that does not exist any more, and its default character set. */
    public void dropSchema(String schema) {
        forgetAllOf(schema);
        charsets.drop(schema);
    }

    /** Forgets all tables of a schema, whether they exist or not. */
    void forgetAllOf(String schema) {
        String key = key(schema);
        tables.keySet().removeIf(name -> name.schema().equals(key));
        uncertain.removeIf(name -> name.schema().equals(key));
        absent.removeIf(name -> name.schema().equals(key));
        addGone(new TableName(schema, ""));
    }

    /** Forgets the columns of a table that exists. */
    void forgetColumns(TableName name) {
        forget(name);
        uncertain.add(key(name));
    }

    /** Forgets the columns of a table that exists: they are uncertain after a statement, so the source is to be asked. */
    public void suspect(TableName name) {
        forgetColumns(name);
        suspects.add(name);
    }

    /** Keeps a table for {@link #takeSuspects}: the source is to be asked for it, whatever is known of it. */
    public void addSuspect(TableName name) {
        suspects.add(name);
    }

    /** Whether the source is to be asked for a table. */
    public boolean isSuspect(TableName name) {
        return suspects.contains(name);
    }

    /** Returns the tables whose schemas became uncertain since the last call. */
    public List<TableName> takeSuspects() {
        List<TableName> taken = List.copyOf(suspects);
        suspects.clear();
        return taken;
    }

    private void addGone(TableName name) {
        gone.add(name);
        gone.add(key(name));
    }

    /** The names that no longer belong to the same table since the last call; a schema is one with an empty table name. */
    public List<TableName> takeGone() {
        List<TableName> taken = List.copyOf(gone);
        gone.clear();
        return taken;
    }

    /** Forgets all tables, but not the names for {@link #takeGone}. */
    void clear() {
        tables.clear();
        uncertain.clear();
        absent.clear();
        suspects.clear();
    }

    private TableName key(TableName name) {
        return source.foldsNames() ? new TableName(key(name.schema()), key(name.table())) : name;
    }

    private String key(String name) {
        return source.foldsNames() ? IdentifierCase.fold(name) : name;
    }
}
