package io.sluice.schema.canal;

import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlLexer;
import io.sluice.schema.sql.TableOptionWord;
import io.sluice.schema.sql.Token;
import io.sluice.schema.sql.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Rewrites a text that Druid rejects, so that Druid reads it if canal's parser does.
 *
 * <p>Options of tables and schemas are parsed here and taken out: Druid reads some of them in one order and spelling only, canal's
 * parser in any. Words that only Druid reserves are quoted. The rest of the text stays as it is.
 */
final class DruidText {
    private static final Set<String> RESERVED_BY_DRUID = Set.of("GET", "DIAGNOSTICS", "JSON_TABLE");

    /** Attributes of columns that Druid does not know; they have no value. */
    private static final Set<String> UNKNOWN_TO_DRUID = Set.of("ASCII", "UNICODE");

    /** An option that Druid reads among all items of an {@code ALTER TABLE}. */
    private static final String ANY_OPTION = "ENGINE InnoDB";

    private final String sql;
    private final List<Token> tokens = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private int at;
    private int copied;

    private DruidText(String sql, SourceTraits source) {
        this.sql = sql;
        SqlLexer lexer = new SqlLexer(sql, source);
        Token token;
        do {
            token = lexer.next();
            tokens.add(token);
        } while (token.kind() != Kind.END);
    }

    /** The text for Druid; the same if nothing in it has to be rewritten. */
    static String of(String sql, SourceTraits source) {
        DruidText rewriting = new DruidText(sql, source);
        rewriting.rewrite();
        return rewriting.text.append(sql, rewriting.copied, sql.length()).toString();
    }

    private void rewrite() {
        while (!isAtEnd()) {
            if (isAt("CREATE")) {
                rewriteCreate();
            } else if (isAt("ALTER")) {
                rewriteAlter();
            }
            while (!isAtStatementEnd()) {
                rewriteWord();
            }
            skip();
        }
    }

    private void rewriteCreate() {
        at++;
        if (isAt("TEMPORARY")) {
            at++;
        }
        boolean ofTable = isAt("TABLE");
        if (!ofTable && !isAt("DATABASE") && !isAt("SCHEMA")) {
            return;
        }
        at++;
        while (isAt("IF") || isAt("NOT") || isAt("EXISTS")) {
            at++;
        }
        rewriteName();
        if (ofTable) {
            if (peek(0).isSign('(')) {
                rewriteParentheses();
            }
            takeOutOptions();
        } else {
            takeOutSchemaOptions();
        }
    }

    private void takeOutOptions() {
        while (!isAtStatementEnd() && !isAt("PARTITION") && !isAt("AS") && !isAt("SELECT")) {
            int end = optionEnd(at);
            if (end > at) {
                if (tokens.get(end).isSign(',')) {
                    end++;
                }
                replace(end, "");
            } else if (peek(0).isSign('(')) {
                rewriteParentheses();
            } else {
                rewriteWord();
            }
        }
    }

    private void takeOutSchemaOptions() {
        int end = schemaOptionEnd(at);
        while (end > at) {
            replace(end, "");
            end = schemaOptionEnd(at);
        }
    }

    private void rewriteAlter() {
        at++;
        while (isAt("ONLINE") || isAt("OFFLINE") || isAt("IGNORE")) {
            at++;
        }
        if (!isAt("TABLE")) {
            return;
        }
        at++;
        rewriteName();
        while (!isAtStatementEnd()) {
            rewriteItem();
            if (peek(0).isSign(',')) {
                at++;
            }
        }
    }

    /** One that consists of options becomes another one; all others keep what they have. */
    private void rewriteItem() {
        int end = at;
        int next = optionEnd(end);
        while (next > end) {
            end = next;
            next = optionEnd(end);
        }
        Token after = tokens.get(end);
        if (end > at && (after.isSign(',') || isStatementEnd(after) || after.isWord("PARTITION"))) {
            replace(end, ANY_OPTION);
        }
        while (!isAtStatementEnd() && !peek(0).isSign(',')) {
            if (peek(0).isSign('(')) {
                rewriteParentheses();
            } else {
                rewriteWord();
            }
        }
    }

    /** The index of the token after the option of a table that begins at an index; that index itself if none does. */
    private int optionEnd(int from) {
        Token first = tokens.get(from);
        if (first.kind() != Kind.WORD) {
            return from;
        }
        int value = charsetOrCollationValue(from);
        if (value > from) {
            return isReadCharset(from, value) ? value + 1 : from;
        }
        if (first.isWord("TABLESPACE")) {
            return tablespaceEnd(from);
        }
        if (TableOptionWord.hasOneValue(first)) {
            value = valueAt(from + 1);
        } else if (first.isWord("DATA") && peek(from, 1).isWord("DIRECTORY")) {
            value = valueAt(from + 2);
        }
        return value > from && isValue(tokens.get(value)) ? value + 1 : from;
    }

    /** Canal's parser takes the word {@code binary} for an operator if more follows, and reads it as a collation of few statements only. */
    private boolean isReadCharset(int from, int value) {
        Token token = tokens.get(value);
        boolean isCollation =
                tokens.get(from).isWord("COLLATE") || peek(from, 1).isWord("COLLATE");
        if (isCollation) {
            return isValue(token) && !token.isWord("BINARY") && !token.isWord("DEFAULT");
        }
        Token after = peek(value, 1);
        return isValue(token) && (!token.isWord("BINARY") || after.isSign(',') || isStatementEnd(after));
    }

    private int tablespaceEnd(int from) {
        if (!isValue(peek(from, 1))) {
            return from;
        }
        return peek(from, 2).isWord("STORAGE") && isValue(peek(from, 3)) ? from + 4 : from + 2;
    }

    /** As {@link #optionEnd}, for an option of a schema. */
    private int schemaOptionEnd(int from) {
        int word = tokens.get(from).isWord("DEFAULT") ? from + 1 : from;
        if (tokens.get(word).isWord("ENCRYPTION")) {
            int value = valueAt(word + 1);
            return tokens.get(value).kind() == Kind.STRING ? value + 1 : from;
        }
        int value = charsetOrCollationValue(from);
        Token token = tokens.get(value);
        boolean isRead =
                value > from && isValue(token) && token.kind() != Kind.DOUBLE_QUOTED && !token.isWord("DEFAULT");
        return isRead ? value + 1 : from;
    }

    /** The index of the value of {@code [DEFAULT] CHARSET}, {@code CHARACTER SET} or {@code COLLATE}; the given index if none begins there. */
    private int charsetOrCollationValue(int from) {
        int word = tokens.get(from).isWord("DEFAULT") ? from + 1 : from;
        if (tokens.get(word).isWord("CHARSET") || tokens.get(word).isWord("COLLATE")) {
            return valueAt(word + 1);
        }
        return tokens.get(word).isWord("CHARACTER") && peek(word, 1).isWord("SET") ? valueAt(word + 2) : from;
    }

    /** The index after an equals sign, if there is one. */
    private int valueAt(int from) {
        return tokens.get(from).isSign('=') ? from + 1 : from;
    }

    private static boolean isValue(Token token) {
        return token.kind() != Kind.SIGN && token.kind() != Kind.END;
    }

    /** A name with or without its schema. */
    private void rewriteName() {
        if (!isAtStatementEnd() && !peek(0).isSign('(')) {
            rewriteWord();
        }
        while (peek(0).isSign('.')) {
            at++;
            if (!isAtStatementEnd()) {
                rewriteWord();
            }
        }
    }

    private void rewriteParentheses() {
        int depth = 0;
        do {
            if (peek(0).isSign('(')) {
                depth++;
            } else if (peek(0).isSign(')')) {
                depth--;
            }
            rewriteWord();
        } while (depth > 0 && !isAtEnd());
    }

    private void rewriteWord() {
        Token token = peek(0);
        String word = token.kind() == Kind.WORD ? token.text().toUpperCase(Locale.ROOT) : "";
        if (UNKNOWN_TO_DRUID.contains(word)) {
            replace(at + 1, "");
        } else if (RESERVED_BY_DRUID.contains(word) || word.startsWith("$")) {
            replace(at + 1, "`" + token.text() + "`");
        } else {
            skip();
        }
    }

    /** Replaces the tokens up to an index one by one: comments between them stay, with the ends of executable ones. */
    private void replace(int end, String by) {
        String first = by;
        while (at < end) {
            Token token = peek(0);
            text.append(sql, copied, token.start()).append(first);
            copied = token.end();
            first = "";
            at++;
        }
    }

    private boolean isAt(String word) {
        return peek(0).isWord(word);
    }

    private boolean isAtEnd() {
        return peek(0).kind() == Kind.END;
    }

    private boolean isAtStatementEnd() {
        return isStatementEnd(peek(0));
    }

    private static boolean isStatementEnd(Token token) {
        return token.kind() == Kind.END || token.isSign(';');
    }

    private void skip() {
        if (!isAtEnd()) {
            at++;
        }
    }

    private Token peek(int distance) {
        return peek(at, distance);
    }

    private Token peek(int from, int distance) {
        return tokens.get(Math.min(from + distance, tokens.size() - 1));
    }
}
