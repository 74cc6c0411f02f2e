package io.sluice.schema.definition;

import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlLexer;
import io.sluice.schema.sql.TokenCursor;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.TableName;
import org.jspecify.annotations.Nullable;

/**
 * A {@code CREATE TABLE} text that defines a table which exists, from the source or from the schema history.
 *
 * @param name with the schema that was given if the text names none
 * @param body null if the columns come from a query
 */
public record TableDefinition(TableName name, @Nullable TableBody body) {
    /**
     * Parses the text of a definition.
     *
     * @param schema the schema of the table if the text does not name one
     * @param source the server whose syntax it is
     * @throws UnreadableSqlException if it is not a {@code CREATE TABLE}, or its columns cannot be read
     */
    public static TableDefinition parse(String text, String schema, SourceTraits source) throws UnreadableSqlException {
        TokenCursor cursor = new TokenCursor(new SqlLexer(text, source));
        boolean creates = cursor.accept("CREATE");
        cursor.accept("OR", "REPLACE");
        cursor.accept("TEMPORARY");
        if (!creates || !cursor.accept("TABLE")) {
            throw new UnreadableSqlException("it is not a CREATE TABLE");
        }
        cursor.acceptIfNotExists();
        return new TableDefinition(cursor.tableName(schema), TableBodyParser.parse(cursor));
    }
}
