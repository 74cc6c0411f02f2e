package io.sluice.schema.definition;

import io.sluice.protocol.entry.EventType;
import io.sluice.schema.sql.TableOptionWord;
import io.sluice.schema.sql.TokenCursor;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.IdentifierCase;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses the items of an {@code ALTER TABLE}. For one statement, and one thread. */
public final class AlterParser {
    private final TokenCursor cursor;
    private final String tableSchema;

    /**
     * Begins after the name of the table.
     *
     * @param tableSchema the schema of the table; may be empty
     */
    public AlterParser(TokenCursor cursor, String tableSchema) {
        this.cursor = cursor;
        this.tableSchema = tableSchema;
    }

    /**
     * Reads to the end of the statement.
     *
     * @param sessionSchema the schema of a new name without one; that of the table if it is empty
     * @throws UnreadableSqlException if it cannot be determined what an item does to the columns
     */
    public List<AlterItem> items(String sessionSchema) throws UnreadableSqlException {
        List<AlterItem> items = new ArrayList<>();
        while (!cursor.isAtStatementEnd()) {
            boolean unpartitions = cursor.isAt("REMOVE", "PARTITIONING");
            if (cursor.isAt("PARTITION", "BY") || unpartitions) {
                cursor.skipStatement(); // always the last item
                items.add(new AlterItem.NoColumns(unpartitions ? null : EventType.ALTER));
                break;
            }
            if (cursor.accept("ORDER", "BY")) {
                cursor.skipStatement(); // always the last item; a column in its list may have the name of an item
                items.add(new AlterItem.NoColumns(EventType.ALTER));
                break;
            }
            if (cursor.accept("ADD")) {
                items.addAll(add());
            } else {
                items.add(item(sessionSchema));
            }
            cursor.skipItem();
            if (!cursor.acceptSign(',') && !cursor.isAtStatementEnd()) {
                throw new UnreadableSqlException(
                        "found '%s' after an item".formatted(cursor.peek().shown()));
            }
        }
        return items;
    }

    private AlterItem item(String sessionSchema) throws UnreadableSqlException {
        if (cursor.accept("DROP")) {
            return drop();
        }
        if (cursor.accept("MODIFY")) {
            cursor.accept("COLUMN");
            boolean ifExists = cursor.acceptIfExists();
            ColumnDefinition column = ColumnParser.parse(cursor);
            return new AlterItem.ReplaceColumn(column.name(), column, ifExists);
        }
        if (cursor.accept("CHANGE")) {
            cursor.accept("COLUMN");
            boolean ifExists = cursor.acceptIfExists();
            String old = cursor.name();
            return new AlterItem.ReplaceColumn(old, ColumnParser.parse(cursor), ifExists);
        }
        if (cursor.accept("RENAME")) {
            return rename(sessionSchema);
        }
        if (cursor.accept("CONVERT", "TO")) {
            CharsetClause charset = new CharsetClause();
            while (!cursor.isAtItemEnd()) {
                if (!charset.accept(cursor)) {
                    cursor.skipOne();
                }
            }
            return new AlterItem.ConvertCharset(charset.charset());
        }
        if (cursor.accept("ALTER")) {
            return alter();
        }
        return optionsOrOther();
    }

    /** {@code ALTER [COLUMN]}; indexes and constraints have nothing to do with columns. */
    private AlterItem alter() throws UnreadableSqlException {
        boolean isColumn = cursor.accept("COLUMN")
                || !(cursor.isAt("INDEX") || cursor.isAt("KEY") || cursor.isAt("CHECK") || cursor.isAt("CONSTRAINT"));
        if (isColumn && !cursor.acceptIfExists() && cursor.peek(1).isWord("SET")) {
            boolean invisible = cursor.peek(2).isWord("INVISIBLE");
            if (invisible || cursor.peek(2).isWord("VISIBLE")) {
                return new AlterItem.SetVisibility(
                        cursor.name(), invisible && cursor.source().keepsGeneratedKeyFirst());
            }
        }
        return new AlterItem.NoColumns(EventType.ALTER);
    }

    private List<AlterItem> add() throws UnreadableSqlException {
        if (cursor.accept("COLUMN")) {
            return addColumns();
        }
        skipConstraintName();
        AlterItem other = addOther();
        return other == null ? addColumns() : List.of(other);
    }

    /** Null if columns are added. */
    private @Nullable AlterItem addOther() throws UnreadableSqlException {
        if (cursor.accept("PRIMARY")) {
            cursor.accept("KEY");
            boolean ifNotExists = cursor.acceptIfNotExists();
            return new AlterItem.AddPrimaryKey(TableBodyParser.primaryKey(cursor), ifNotExists);
        }
        if (cursor.isAt("FOREIGN") || cursor.isAt("CHECK")) {
            return new AlterItem.NoColumns(null); // canal has no event type for these
        }
        if (cursor.isAt("PARTITION")) {
            return cursor.peek(1).isWord("PARTITIONS")
                    ? new AlterItem.AddPartitionsByCount()
                    : new AlterItem.NoColumns(EventType.ALTER);
        }
        if (cursor.isAt("PERIOD", "FOR") || cursor.isAt("PERIOD", "IF")) {
            cursor.next();
            cursor.acceptIfNotExists();
            cursor.expect("FOR");
            return period();
        }
        if (cursor.isAt("SYSTEM", "VERSIONING")) {
            return new AlterItem.AddVersioning();
        }
        if (TableBodyParser.isAtKeyClause(cursor)) {
            return new AlterItem.NoColumns(EventType.CINDEX);
        }
        return null;
    }

    private AlterItem period() throws UnreadableSqlException {
        boolean isOfSystem = cursor.isAt("SYSTEM_TIME");
        Period period = TableBodyParser.period(cursor);
        return isOfSystem ? new AlterItem.AddPeriod(period) : new AlterItem.AddApplicationPeriod(period);
    }

    private void skipConstraintName() throws UnreadableSqlException {
        if (cursor.accept("CONSTRAINT")) {
            cursor.acceptIfNotExists();
            if (!TableBodyParser.isAtConstraintKind(cursor)) {
                cursor.name();
            }
        }
    }

    private List<AlterItem> addColumns() throws UnreadableSqlException {
        boolean ifNotExists = cursor.acceptIfNotExists();
        if (!cursor.acceptSign('(')) {
            return List.of(new AlterItem.AddColumns(List.of(ColumnParser.parse(cursor)), ifNotExists));
        }
        List<ColumnDefinition> columns = new ArrayList<>();
        List<AlterItem> items = new ArrayList<>();
        do {
            if (TableBodyParser.isAtKeyClause(cursor)) {
                skipConstraintName();
                if (cursor.accept("PRIMARY")) {
                    items.add(new AlterItem.AddPrimaryKey(TableBodyParser.primaryKey(cursor), false));
                } else if (cursor.accept("PERIOD", "FOR")) {
                    items.add(period());
                }
                cursor.skipItem();
            } else {
                columns.add(ColumnParser.parse(cursor));
            }
        } while (cursor.acceptSign(','));
        cursor.expectSign(')');
        items.add(0, new AlterItem.AddColumns(columns, ifNotExists));
        return items;
    }

    private AlterItem drop() throws UnreadableSqlException {
        if (cursor.accept("COLUMN")) {
            boolean ifExists = cursor.acceptIfExists();
            return new AlterItem.DropColumn(cursor.name(), ifExists);
        }
        if (cursor.accept("PRIMARY")) {
            cursor.accept("KEY");
            return new AlterItem.DropPrimaryKey(EventType.ALTER);
        }
        if (cursor.accept("INDEX") || cursor.accept("KEY") || cursor.accept("CONSTRAINT")) {
            cursor.acceptIfExists();
            return IdentifierCase.areSame(cursor.name(), "PRIMARY")
                    ? new AlterItem.DropPrimaryKey(EventType.DINDEX)
                    : new AlterItem.NoColumns(EventType.DINDEX);
        }
        if (cursor.isAt("FOREIGN", "KEY")) {
            return new AlterItem.NoColumns(EventType.DINDEX);
        }
        if (cursor.isAt("PARTITION")
                || cursor.isAt("CHECK")
                || cursor.isAt("PERIOD", "FOR")
                || cursor.isAt("PERIOD", "IF")) {
            return new AlterItem.NoColumns(EventType.ALTER);
        }
        if (cursor.isAt("SYSTEM", "VERSIONING")) {
            return new AlterItem.DropVersioning();
        }
        boolean ifExists = cursor.acceptIfExists();
        return new AlterItem.DropColumn(cursor.name(), ifExists);
    }

    private AlterItem rename(String sessionSchema) throws UnreadableSqlException {
        if (cursor.accept("COLUMN")) {
            boolean ifExists = cursor.acceptIfExists();
            String old = cursor.name();
            cursor.expect("TO");
            return new AlterItem.RenameColumn(old, cursor.name(), ifExists);
        }
        if (cursor.isAt("INDEX") || cursor.isAt("KEY")) {
            return new AlterItem.NoColumns(EventType.ALTER);
        }
        if (!cursor.accept("TO") && !cursor.accept("AS")) {
            cursor.acceptSign('=');
        }
        return new AlterItem.RenameTable(cursor.tableName(sessionSchema.isEmpty() ? tableSchema : sessionSchema));
    }

    /** Several table options may be side by side without commas. */
    private AlterItem optionsOrOther() throws UnreadableSqlException {
        CharsetClause charset = new CharsetClause();
        boolean option = TableOptionWord.isFirst(cursor.peek());
        while (!cursor.isAtItemEnd() && !cursor.isAt("PARTITION", "BY")) {
            if (charset.accept(cursor)) {
                option = true;
            } else {
                cursor.skipOne();
            }
        }
        return option
                ? new AlterItem.TableOptions(charset.charset(), charset.isDefault())
                : new AlterItem.NoColumns(EventType.ALTER);
    }
}
