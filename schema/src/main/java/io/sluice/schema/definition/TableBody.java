package io.sluice.schema.definition;

import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns and options of a {@code CREATE TABLE}.
 *
 * @param columns all columns in table order
 * @param primaryKey the clause of its own; {@link PrimaryKey#NONE} if there is none, though a column may be the key
 * @param period of the application; null if there is none
 * @param charset the table's default; null if it is not specified
 */
public record TableBody(
        List<ColumnDefinition> columns,
        PrimaryKey primaryKey,
        @Nullable Period period,
        @Nullable String charset) {

    /** Whether its default is the schema's, which counts also where no column has text: one may be added. */
    public boolean needsSchemaCharset() {
        return charset == null;
    }

    /** Returns a copy with the given default character set. */
    public TableBody withCharset(String defaultCharset) {
        return new TableBody(columns, primaryKey, period, defaultCharset);
    }

    /**
     * The schema of a table that is created so.
     *
     * @param schemaCharset the default character set of the schema; null if it is not known, or not needed
     * @throws UnreadableSqlException if the key names a column that is not there, or a column's type depends on an unknown character set
     */
    public TableSchema toSchema(TableName name, @Nullable String schemaCharset) throws UnreadableSqlException {
        String defaultCharset = charset == null ? schemaCharset : charset;
        List<ColumnSchema> schemas = new ArrayList<>(columns.size());
        for (ColumnDefinition column : columns) {
            schemas.add(column.toSchema(defaultCharset));
        }
        List<ColumnSchema> marked = period == null ? schemas : period.mark(schemas);
        return new TableSchema(name, Alteration.withPrimaryKey(marked, primaryKey), defaultCharset);
    }
}
