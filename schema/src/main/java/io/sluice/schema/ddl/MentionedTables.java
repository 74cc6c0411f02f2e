package io.sluice.schema.ddl;

import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlLexer;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.sql.Token;
import io.sluice.schema.sql.Token.Kind;
import io.sluice.schema.table.IdentifierCase;
import io.sluice.schema.table.TableName;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** The tables that a DDL of an unknown form may change, by the names that occur in its text. Immutable. */
public final class MentionedTables {
    private static final Set<String> CHANGES = Set.of("CREATE", "ALTER", "DROP", "RENAME");
    private static final int TOKENS_BEFORE_TABLE = 16;
    private static final int LONGEST = 10_000;

    /** In one case; empty if the text does not look like a change of tables. */
    private final Set<String> words;

    private MentionedTables(Set<String> words) {
        this.words = words;
    }

    /**
     * Reads a statement.
     *
     * @param sessionSchema the schema that is meant where none is named; may be empty
     */
    static MentionedTables in(String sql, String sessionSchema, SourceTraits source, SqlMode mode) {
        return new MentionedTables(words(sql, sessionSchema, source, mode));
    }

    /** Reads a statement whose form is not known. */
    public static MentionedTables in(SchemaRecorder.Ddl ddl, SourceTraits source) {
        return in(ddl.sql(), ddl.sessionSchema(), source, ddl.mode());
    }

    /** Whether the text looks like a change of tables. */
    boolean isChange() {
        return !words.isEmpty();
    }

    /** Whether the statement may change a table. */
    public boolean has(TableName table) {
        return words.contains(IdentifierCase.fold(table.table()))
                && words.contains(IdentifierCase.fold(table.schema()));
    }

    private static Set<String> words(String sql, String sessionSchema, SourceTraits source, SqlMode mode) {
        SqlLexer lexer = new SqlLexer(sql, source, mode);
        Token token = lexer.next();
        if (!CHANGES.contains(token.text().toUpperCase(Locale.ROOT))) {
            return Set.of();
        }
        Set<String> words = new HashSet<>();
        boolean isAboutTables = false;
        for (int i = 0; i < LONGEST && token.kind() != Kind.END; i++) {
            isAboutTables |= i < TOKENS_BEFORE_TABLE && (token.isWord("TABLE") || token.isWord("TABLES"));
            if (token.kind() != Kind.STRING && token.kind() != Kind.SIGN) {
                words.add(IdentifierCase.fold(token.text()));
            }
            token = lexer.next();
        }
        if (!isAboutTables) {
            return Set.of();
        }
        words.add(IdentifierCase.fold(sessionSchema));
        return words;
    }
}
