package io.sluice.parse.schema;

import io.sluice.parse.schema.ColumnDefinition.Position;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Applies the items of one {@code ALTER TABLE} at once, as the server does: old names are those before the statement, so
 * that two columns can swap names; columns without a new position keep theirs; then the added and moved ones are put in,
 * in the order of the statement, and {@code AFTER} means a name after the statement.
 */
final class Alteration {
    private final TableSchema before;
    private final List<AlterItem> items;
    private final @Nullable String defaultCharset;
    private final Set<AlterItem> done = new HashSet<>();

    private Alteration(TableSchema before, List<AlterItem> items, @Nullable String schemaCharset) {
        this.before = before;
        this.items = items;
        this.defaultCharset = defaultCharset(before.defaultCharset(), items, schemaCharset);
    }

    /**
     * The structure after the items.
     *
     * @param schemaCharset what {@code CONVERT TO CHARACTER SET DEFAULT} means
     * @throws UnreadableSqlException if they do not fit the structure
     */
    static TableSchema apply(TableSchema before, List<AlterItem> items, @Nullable String schemaCharset)
            throws UnreadableSqlException {
        return new Alteration(before, items, schemaCharset).apply();
    }

    private TableSchema apply() throws UnreadableSqlException {
        List<ColumnSchema> columns = new ArrayList<>();
        List<String> newKey = List.of();
        for (ColumnSchema column : before.columns()) {
            ColumnSchema kept = keep(column);
            if (kept != null) {
                columns.add(kept);
            }
        }
        for (AlterItem item : items) {
            if (item instanceof AlterItem.AddColumns add) {
                addAll(columns, add);
            } else if (item instanceof AlterItem.ReplaceColumn replace) {
                move(columns, replace);
            } else if (item instanceof AlterItem.AddPrimaryKey key) {
                newKey = key.columns();
            }
            checkDone(item);
        }
        return new TableSchema(before.name(), withPrimaryKey(columns, newKey), defaultCharset);
    }

    /** What becomes of an old column that stays in its place; null if it goes, or moves. */
    private @Nullable ColumnSchema keep(ColumnSchema old) {
        ColumnSchema column = old;
        for (AlterItem item : items) {
            if (item instanceof AlterItem.DropColumn drop && isNamed(old, drop.column())) {
                done.add(item);
                return null;
            } else if (item instanceof AlterItem.ReplaceColumn replace && isNamed(old, replace.column())) {
                done.add(item);
                column = replaced(old, replace);
                if (replace.by().position() != null) {
                    return null;
                }
            } else if (item instanceof AlterItem.RenameColumn rename && isNamed(old, rename.column())) {
                done.add(item);
                column = column.withName(rename.newName());
            } else if (item instanceof AlterItem.DropPrimaryKey) {
                column = column.withPrimaryKey(false);
            } else if (item instanceof AlterItem.ConvertCharset && isConverted(column)) {
                column = column.withCharset(defaultCharset);
            }
        }
        return column;
    }

    private static boolean isConverted(ColumnSchema column) {
        return column.family().hasCharset() && !"binary".equals(column.charset());
    }

    private ColumnSchema replaced(ColumnSchema old, AlterItem.ReplaceColumn replace) {
        boolean keepsKey = old.primaryKey() && items.stream().noneMatch(AlterItem.DropPrimaryKey.class::isInstance);
        ColumnSchema column = replace.by().toSchema(defaultCharset);
        return column.withPrimaryKey(column.primaryKey() || keepsKey);
    }

    private void addAll(List<ColumnSchema> columns, AlterItem.AddColumns add) throws UnreadableSqlException {
        for (ColumnDefinition definition : add.columns()) {
            if (indexOf(columns, definition.name()) < 0) {
                insert(columns, definition.toSchema(defaultCharset), definition.position());
            } else if (!add.ifNotExists()) {
                throw new UnreadableSqlException("column %s is there already".formatted(definition.name()));
            }
        }
    }

    private void move(List<ColumnSchema> columns, AlterItem.ReplaceColumn replace) throws UnreadableSqlException {
        int old = indexOf(before.columns(), replace.column());
        Position position = replace.by().position();
        if (old >= 0 && position != null) {
            insert(columns, replaced(before.columns().get(old), replace), position);
        }
    }

    private static void insert(List<ColumnSchema> columns, ColumnSchema column, @Nullable Position position)
            throws UnreadableSqlException {
        if (position == null) {
            columns.add(column);
        } else if (position.after() == null) {
            columns.add(0, column);
        } else {
            columns.add(indexOfExisting(columns, position.after()) + 1, column);
        }
    }

    private void checkDone(AlterItem item) throws UnreadableSqlException {
        if (done.contains(item)) {
            return;
        }
        String missing = null;
        if (item instanceof AlterItem.DropColumn drop && !drop.ifExists()) {
            missing = drop.column();
        } else if (item instanceof AlterItem.ReplaceColumn replace && !replace.ifExists()) {
            missing = replace.column();
        } else if (item instanceof AlterItem.RenameColumn rename && !rename.ifExists()) {
            missing = rename.column();
        }
        if (missing != null) {
            throw new UnreadableSqlException("there is no column " + missing);
        }
    }

    private static @Nullable String defaultCharset(
            @Nullable String before, List<AlterItem> items, @Nullable String schemaCharset) {
        String charset = before;
        for (AlterItem item : items) {
            if (item instanceof AlterItem.ConvertCharset convert) {
                charset = convert.charset() == null ? schemaCharset : convert.charset();
            } else if (item instanceof AlterItem.TableOptions options && options.defaultCharset() != null) {
                charset = options.defaultCharset();
            }
        }
        return charset;
    }

    /** The columns with those of a {@code PRIMARY KEY} clause marked. */
    static List<ColumnSchema> withPrimaryKey(List<ColumnSchema> columns, List<String> key)
            throws UnreadableSqlException {
        List<ColumnSchema> marked = new ArrayList<>(columns);
        for (String name : key) {
            int index = indexOfExisting(marked, name);
            marked.set(index, marked.get(index).withPrimaryKey(true));
        }
        return marked;
    }

    private static int indexOfExisting(List<ColumnSchema> columns, String name) throws UnreadableSqlException {
        int index = indexOf(columns, name);
        if (index < 0) {
            throw new UnreadableSqlException("there is no column " + name);
        }
        return index;
    }

    private static int indexOf(List<ColumnSchema> columns, String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (isNamed(columns.get(i), name)) {
                return i;
            }
        }
        return -1;
    }

    /** Column names are the same in any case, on every server. */
    private static boolean isNamed(ColumnSchema column, String name) {
        return column.name().equalsIgnoreCase(name);
    }
}
