package io.sluice.schema.ddl;

import com.alibaba.druid.DbType;
import com.alibaba.druid.sql.SQLUtils;
import io.sluice.schema.ddl.Token.Kind;

/**
 * Determines whether canal's parser reads a text, since canal makes another entry of a text that it cannot parse.
 *
 * <p>That parser is a descendant of Druid's, and Druid's takes its place here. The table schemas do not depend on it.
 */
final class CanalGrammar {
    /** Longer texts are not DDL of tables; parsing them would cost much memory. */
    private static final int LONGEST = 1 << 20;

    private CanalGrammar() {}

    static boolean reads(String sql, SourceTraits source) {
        return sql.length() > LONGEST || druidReads(sql) || druidReads(withoutCharsetWords(sql, source));
    }

    private static boolean druidReads(String sql) {
        try {
            SQLUtils.parseStatements(sql, DbType.mysql);
            return true;
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            return false; // its ParserException, and what else texts provoke in it: it uses libraries that are not here
        }
    }

    /** Druid does not know the attributes {@code ASCII} and {@code UNICODE}; canal's parser does. */
    private static String withoutCharsetWords(String sql, SourceTraits source) {
        StringBuilder text = new StringBuilder(sql);
        SqlLexer lexer = new SqlLexer(sql, source);
        for (Token token = lexer.next(); token.kind() != Kind.END; token = lexer.next()) {
            if (token.isWord("ASCII") || token.isWord("UNICODE")) {
                for (int i = token.start(); i < token.end(); i++) {
                    text.setCharAt(i, ' ');
                }
            }
        }
        return text.toString();
    }
}
