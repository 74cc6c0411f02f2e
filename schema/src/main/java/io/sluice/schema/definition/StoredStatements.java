package io.sluice.schema.definition;

import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlLexer;
import io.sluice.schema.sql.Token;
import io.sluice.schema.sql.Token.Kind;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.TableName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Splits a text of consecutive {@code CREATE TABLE} statements, with or without semicolons. */
public final class StoredStatements {
    private StoredStatements() {}

    /**
     * The single statements, in their order, each with what follows it up to the next one.
     *
     * @param source the server whose syntax it is
     */
    public static List<String> split(String text, SourceTraits source) {
        List<String> statements = new ArrayList<>();
        SqlLexer lexer = new SqlLexer(text, source);
        int depth = 0;
        int start = 0;
        Token before = lexer.next();
        for (Token token = before; before.kind() != Kind.END; before = token) {
            token = lexer.next();
            if (before.isSign('(')) {
                depth++;
            } else if (before.isSign(')')) {
                depth--;
            }
            boolean begins = depth == 0 && before.isWord("CREATE") && token.isWord("TABLE");
            if (begins || token.kind() == Kind.END) {
                String statement = text.substring(start, begins ? before.start() : text.length());
                if (!statement.isBlank()) {
                    statements.add(statement);
                }
                start = before.start();
            }
        }
        return statements;
    }

    /**
     * The table that a statement makes; null if it makes none, or cannot be read.
     *
     * @param schema the schema of the table if the text does not name one
     * @param source the server whose syntax it is
     */
    public static @Nullable TableName tableOf(String statement, String schema, SourceTraits source) {
        try {
            return TableDefinition.parse(statement, schema, source).name();
        } catch (UnreadableSqlException e) {
            return null;
        }
    }
}
