package io.sluice.schema.definition;

import io.sluice.mysql.type.TypeFamily;
import io.sluice.schema.definition.ColumnDefinition.Position;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.IdentifierCase;
import io.sluice.schema.table.TableSchema;
import io.sluice.schema.table.Versioning;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Applies the items of one {@code ALTER TABLE} at once, as the server does: old names are those before the statement, so
 * that two columns can swap names; then the columns with a position are put there one after the other, and {@code AFTER}
 * means a name after the statement.
 *
 * <p>On MariaDB a definition whose old name is none of the table's replaces a column that the statement has added before. It is found by its new
 * name, and is the last one then unless the definition says where it goes.
 *
 * <p>Nor does MariaDB make a primary key that an item with {@code IF NOT EXISTS} or {@code IF EXISTS} defines, if the table had one before the
 * statement, also if the statement drops that.
 */
public final class Alteration {
    /**
     * A column of the new table schema while it is built; whether it is in the key is as the statement defines it.
     *
     * @param former what it was before; null if it is new
     * @param defined whether the statement defines it, new or not
     */
    private record Slot(ColumnSchema column, @Nullable ColumnSchema former, boolean defined) {
        boolean isNamed(String name) {
            return Alteration.isNamed(column, name);
        }

        /** Whether it is a column of before the statement, or is new and has its name. */
        boolean standsFor(ColumnSchema old) {
            return former == null ? isNamed(old.name()) : former.name().equals(old.name());
        }
    }

    private final TableSchema before;
    private final List<AlterItem> items;
    private final SourceTraits source;
    private final @Nullable String defaultCharset;
    /** Of {@code CONVERT TO}; null without one, or if it is not known. */
    private final @Nullable String convertedCharset;

    private final List<Slot> slots = new ArrayList<>();
    /** By identity: the same definition may be there twice. */
    private final Set<AlterItem> done = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Those of added columns that are in the place of hidden ones, by identity. */
    private final Set<ColumnDefinition> placed = Collections.newSetFromMap(new IdentityHashMap<>());

    private Alteration(TableSchema before, List<AlterItem> items, SourceTraits source) {
        this.before = before;
        this.items = items;
        this.source = source;
        this.convertedCharset = convertedCharset(items);
        this.defaultCharset = defaultCharset(converts() ? convertedCharset : before.defaultCharset(), items);
    }

    /**
     * The table schema after the items.
     *
     * @throws UnreadableSqlException if they do not match the table schema, or a column's type depends on an unknown character set
     */
    public static TableSchema apply(TableSchema before, List<AlterItem> items, SourceTraits source)
            throws UnreadableSqlException {
        return new Alteration(before, items, source).apply();
    }

    private TableSchema apply() throws UnreadableSqlException {
        if (converts() && CharsetClause.UNKNOWN.equals(convertedCharset)) {
            throw new UnreadableSqlException("the character set is the default of that time, which is not known");
        }
        if (converts() && before.columns().stream().anyMatch(ColumnSchema::isCharsetUnknown)) {
            throw new UnreadableSqlException("the size of a converted text depends on its former character set");
        }
        for (ColumnSchema old : before.columns()) {
            keep(old);
        }
        PrimaryKey newKey = PrimaryKey.NONE;
        boolean namesPeriod = items.stream().anyMatch(AlterItem.AddPeriod.class::isInstance);
        for (AlterItem item : items) {
            if (item instanceof AlterItem.AddColumns add) {
                addAll(add);
            } else if (item instanceof AlterItem.ReplaceColumn replace && done.contains(item)) {
                move(replace);
            } else if (item instanceof AlterItem.ReplaceColumn replace && mayReplaceAdded(replace)) {
                replaceAdded(replace);
            } else if (item instanceof AlterItem.AddPrimaryKey key && !(key.ifNotExists() && hadPrimaryKey())) {
                newKey = key.key();
            } else if (item instanceof AlterItem.AddVersioning && !namesPeriod) {
                addAll(new AlterItem.AddColumns(ColumnDefinition.hiddenPeriod(), false));
            }
            checkDone(item);
        }
        return new TableSchema(before.name(), withPrimaryKey(columns(), newKey), defaultCharset);
    }

    /** Adds an old column as the items change it, unless they drop it. */
    private void keep(ColumnSchema old) throws UnreadableSqlException {
        ColumnSchema column = old.withPrimaryKey(false);
        if (old.versioning().isHidden() && items.stream().anyMatch(AlterItem.DropVersioning.class::isInstance)) {
            return;
        }
        ColumnDefinition named = inPlaceOfHidden(old);
        if (named != null) {
            placed.add(named);
            slots.add(namesHiddenOnly() ? new Slot(column, old, false) : new Slot(defined(named, false), null, true));
            return;
        }
        if (drops(old)) {
            return; // wherever the item is; another definition of the name is that of an added column
        }
        boolean defined = false;
        for (AlterItem item : items) {
            if (item instanceof AlterItem.ReplaceColumn replace && !defined && wasNamed(old, replace.column())) {
                done.add(item);
                column = defined(replace.by(), replace.ifExists());
                if (old.versioning() == Versioning.PERIOD) {
                    column = column.withVersioning(Versioning.PERIOD);
                }
                defined = true;
            } else if (item instanceof AlterItem.RenameColumn rename && wasNamed(old, rename.column())) {
                done.add(item);
                column = column.withName(rename.newName());
            } else if (item instanceof AlterItem.SetVisibility visibility && wasNamed(old, visibility.column())) {
                column = column.withVisibility(visibility.invisible());
            }
        }
        slots.add(new Slot(column, old, defined));
    }

    /** The definition of a column of the system's period that takes the place of a hidden one, wherever it says that it goes; null if there is none. */
    private @Nullable ColumnDefinition inPlaceOfHidden(ColumnSchema old) {
        if (!old.versioning().isHidden()) {
            return null;
        }
        for (AlterItem item : items) {
            if (item instanceof AlterItem.AddPeriod added) {
                boolean isStart = old.versioning() == Versioning.HIDDEN_ROW_START;
                return addedColumn(
                        isStart ? added.period().start() : added.period().end());
            }
        }
        return null;
    }

    private @Nullable ColumnDefinition addedColumn(String name) {
        for (AlterItem item : items) {
            if (item instanceof AlterItem.AddColumns add) {
                for (ColumnDefinition definition : add.columns()) {
                    if (IdentifierCase.areSame(definition.name(), name)) {
                        return definition;
                    }
                }
            }
        }
        return null;
    }

    /** Whether the items do no more than to give the hidden columns the names that they have, which leaves them hidden. */
    private boolean namesHiddenOnly() {
        return items.stream()
                .allMatch(item -> item instanceof AlterItem.AddPeriod
                        || item instanceof AlterItem.AddColumns add
                                && add.columns().stream().allMatch(this::isHiddenNow));
    }

    private boolean isHiddenNow(ColumnDefinition definition) {
        return before.columns().stream()
                .anyMatch(old -> old.versioning().isHidden() && isNamed(old, definition.name()));
    }

    private boolean drops(ColumnSchema old) {
        boolean drops = false;
        for (AlterItem item : items) {
            if (item instanceof AlterItem.DropColumn drop && wasNamed(old, drop.column())) {
                done.add(item);
                drops = true;
            }
        }
        return drops;
    }

    private void addAll(AlterItem.AddColumns add) throws UnreadableSqlException {
        for (ColumnDefinition definition : add.columns()) {
            if (placed.contains(definition)) {
                continue;
            }
            if (add.ifNotExists() && before.columns().stream().anyMatch(old -> isNamed(old, definition.name()))) {
                continue; // also if this statement drops it
            }
            if (slots.stream().noneMatch(slot -> slot.isNamed(definition.name()))) {
                put(new Slot(defined(definition, add.ifNotExists()), null, true), definition.position());
            } else if (!add.ifNotExists()) {
                throw new UnreadableSqlException("column %s is there already".formatted(definition.name()));
            }
        }
    }

    private void move(AlterItem.ReplaceColumn replace) throws UnreadableSqlException {
        Position position = replace.by().position();
        for (Slot slot : List.copyOf(slots)) {
            ColumnSchema former = slot.former();
            if (position != null && former != null && wasNamed(former, replace.column())) {
                slots.remove(slot);
                put(slot, position);
            }
        }
    }

    /** {@code IF EXISTS} looks at the table before the statement only. */
    private boolean mayReplaceAdded(AlterItem.ReplaceColumn replace) {
        return source.mariaDb()
                && !(replace.ifExists() && before.columns().stream().noneMatch(old -> isNamed(old, replace.column())));
    }

    private void replaceAdded(AlterItem.ReplaceColumn replace) throws UnreadableSqlException {
        ColumnDefinition by = replace.by();
        for (Slot added : List.copyOf(slots)) {
            if (added.former() == null && added.isNamed(by.name())) {
                done.add(replace);
                slots.remove(added);
                ColumnSchema column = defined(by, replace.ifExists());
                boolean isKey = column.primaryKey() || added.column().primaryKey();
                put(new Slot(column.withPrimaryKey(isKey), null, true), by.position());
            }
        }
    }

    private void put(Slot slot, @Nullable Position position) throws UnreadableSqlException {
        if (position == null) {
            slots.add(endOfNamed(slot), slot);
        } else if (position.after() == null) {
            slots.add(beginsWithGeneratedKey() ? 1 : 0, slot);
        } else {
            List<ColumnSchema> columns = slots.stream().map(Slot::column).toList();
            slots.add(indexOfExisting(columns, position.after()) + 1, slot);
        }
    }

    /** The server takes for generated whatever looks like it. */
    private boolean beginsWithGeneratedKey() {
        if (!source.keepsGeneratedKeyFirst() || slots.isEmpty()) {
            return false;
        }
        ColumnSchema former = slots.get(0).former();
        return former != null
                && former.invisible()
                && former.unsigned()
                && isNamed(former, "my_row_id")
                && former.mysqlType().matches("(?i)(bigint|int8|serial)\\b.*")
                && before.columns().stream().allMatch(column -> column.primaryKey() == column.equals(former));
    }

    /** Where a column goes that is put last: MariaDB's hidden columns stay after all others. */
    private int endOfNamed(Slot added) {
        int end = slots.size();
        while (end > 0
                && !added.column().versioning().isHidden()
                && slots.get(end - 1).column().versioning().isHidden()) {
            end--;
        }
        return end;
    }

    /** The columns in their order, converted and with the old key if these items say so. */
    private List<ColumnSchema> columns() {
        List<ColumnSchema> columns = new ArrayList<>();
        Period period = null;
        for (AlterItem item : items) {
            period = item instanceof AlterItem.AddApplicationPeriod added ? added.period() : period;
        }
        boolean converts = converts();
        for (Slot slot : slots) {
            columns.add(converts ? converted(slot) : slot.column());
        }
        if (keepsPrimaryKey()) {
            keepPrimaryKey(columns);
        }
        return period == null ? columns : period.mark(columns);
    }

    /**
     * The column that an item defines.
     *
     * @param isConditional whether the item has {@code IF EXISTS} or {@code IF NOT EXISTS}
     */
    private ColumnSchema defined(ColumnDefinition definition, boolean isConditional) throws UnreadableSqlException {
        ColumnSchema column = definition.toSchema(converts() ? convertedCharset : defaultCharset);
        return isConditional && hadPrimaryKey() ? column.withPrimaryKey(false) : column;
    }

    private boolean hadPrimaryKey() {
        return before.columns().stream().anyMatch(ColumnSchema::primaryKey);
    }

    private boolean keepsPrimaryKey() {
        return hadPrimaryKey() && items.stream().noneMatch(AlterItem.DropPrimaryKey.class::isInstance);
    }

    /** A part of the key moves to the first column that has its name, or had it. */
    private void keepPrimaryKey(List<ColumnSchema> columns) {
        for (ColumnSchema old : before.columns()) {
            for (int i = 0; old.primaryKey() && i < columns.size(); i++) {
                if (slots.get(i).standsFor(old)) {
                    columns.set(i, columns.get(i).withPrimaryKey(true));
                    break;
                }
            }
        }
    }

    private boolean converts() {
        return items.stream().anyMatch(AlterItem.ConvertCharset.class::isInstance);
    }

    /**
     * An existing column grows; one that the statement defines has the size of its definition, except where the server derives the size
     * from the former type.
     */
    private ColumnSchema converted(Slot slot) {
        ColumnSchema column = slot.column();
        if (source.mariaDb() && column.family() == TypeFamily.JSON) {
            return CharsetConversion.convertJson(column, convertedCharset);
        }
        boolean hasText = column.family().hasCharset() && !"binary".equals(column.charset());
        if (!slot.defined()) {
            return hasText ? CharsetConversion.convert(column, convertedCharset) : column;
        }
        ColumnSchema converted = hasText ? column.withCharset(convertedCharset) : column;
        ColumnSchema former = slot.former();
        return former != null && source.sizesConvertedTextByFormerType()
                ? CharsetConversion.resize(converted, former)
                : converted;
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

    private static @Nullable String convertedCharset(List<AlterItem> items) {
        String charset = null;
        for (AlterItem item : items) {
            charset = item instanceof AlterItem.ConvertCharset convert ? convert.charset() : charset;
        }
        return charset;
    }

    /** The default that the items name, wherever they do; a conversion changes it only if they do not. */
    private static @Nullable String defaultCharset(@Nullable String unlessNamed, List<AlterItem> items) {
        String charset = unlessNamed;
        for (AlterItem item : items) {
            if (item instanceof AlterItem.TableOptions options && options.defaultCharset() != null) {
                charset = options.defaultCharset();
            }
        }
        return charset;
    }

    /** The columns with those of a {@code PRIMARY KEY} clause marked. MariaDB adds the end of the system's period, if it is named, to any key. */
    static List<ColumnSchema> withPrimaryKey(List<ColumnSchema> columns, PrimaryKey key) throws UnreadableSqlException {
        List<ColumnSchema> marked = new ArrayList<>(columns);
        for (String name : key.columns()) {
            int index = indexOfExisting(marked, name);
            marked.set(index, marked.get(index).withPrimaryKey(true));
        }
        if (key.hasPeriod()) {
            marked.replaceAll(
                    column -> column.versioning() == Versioning.PERIOD ? column.withPrimaryKey(true) : column);
        }
        boolean hasKey =
                marked.stream().anyMatch(column -> column.primaryKey() && column.versioning() != Versioning.ROW_END);
        marked.replaceAll(column -> column.versioning() == Versioning.ROW_END ? column.withPrimaryKey(hasKey) : column);
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
        int index = -1;
        for (int i = columns.size() - 1; i >= 0; i--) {
            if (columns.get(i).name().equals(name)) {
                return i;
            }
            index = isNamed(columns.get(i), name) ? i : index;
        }
        return index;
    }

    /**
     * Whether a name means a column of before the statement. Where two names differ in case only, as servers have it of letters whose case
     * they do not know, each means the column that has exactly it.
     */
    private boolean wasNamed(ColumnSchema old, String name) {
        return isNamed(old, name)
                && before.columns().get(indexOf(before.columns(), name)).name().equals(old.name());
    }

    /** Column names are the same in any case, on every server. */
    private static boolean isNamed(ColumnSchema column, String name) {
        return IdentifierCase.areSame(column.name(), name);
    }
}
