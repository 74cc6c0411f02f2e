package io.sluice.schema.ddl;

import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlLexer;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.sql.Token;
import io.sluice.schema.sql.Token.Kind;
import io.sluice.schema.table.IdentifierCase;
import io.sluice.schema.table.TableName;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Finds the tables that a DDL of an unknown form may change, by the names that occur in its text. */
final class MentionedTables {
    private static final Set<String> CHANGES = Set.of("CREATE", "ALTER", "DROP", "RENAME");
    private static final int TOKENS_BEFORE_TABLE = 16;
    private static final int LONGEST = 10_000;

    private MentionedTables() {}

    /** Those of some tables whose names occur in the text; none if it does not look like a change of tables. */
    static List<TableName> in(
            String sql, String sessionSchema, SourceTraits source, SqlMode mode, Collection<TableName> tables) {
        Set<String> words = words(sql, sessionSchema, source, mode);
        return tables.stream()
                .filter(name -> words.contains(IdentifierCase.fold(name.table()))
                        && words.contains(IdentifierCase.fold(name.schema())))
                .toList();
    }

    /** Whether a text looks like a change of tables. */
    static boolean isChange(String sql, SourceTraits source, SqlMode mode) {
        return !words(sql, "", source, mode).isEmpty();
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
