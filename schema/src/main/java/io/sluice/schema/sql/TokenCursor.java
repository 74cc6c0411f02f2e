package io.sluice.schema.sql;

import io.sluice.schema.sql.Token.Kind;
import io.sluice.schema.table.TableName;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** Iterates over the tokens of a text lazily. At its end the next token is {@link Kind#END}, which is not stepped over. For one thread. */
public final class TokenCursor {
    private final SqlLexer lexer;
    private final Deque<Token> ahead = new ArrayDeque<>();

    /** Begins at the next token of a lexer, which must not be used by others then. */
    public TokenCursor(SqlLexer lexer) {
        this.lexer = lexer;
    }

    /** The server whose text it is. */
    public SourceTraits source() {
        return lexer.source();
    }

    /** What names of types mean in the text. */
    public TypeNames typeNames() {
        return lexer.typeNames();
    }

    /** Whether strings are bytes of UTF-8, of a text in whatever character set they are used for. */
    public boolean hasBytesForStrings() {
        return lexer.hasBytesForStrings();
    }

    /** Whether what was read so far ends in a string, a name or a comment that is not closed. */
    public boolean isUnclosed() {
        return lexer.isUnclosed();
    }

    /** The next token, without stepping over it. */
    public Token peek() {
        return peek(0);
    }

    /** The token {@code distance} after the next one. */
    public Token peek(int distance) {
        while (ahead.size() <= distance) {
            ahead.add(lexer.next());
        }
        Iterator<Token> tokens = ahead.iterator();
        for (int i = 0; i < distance; i++) {
            tokens.next();
        }
        return tokens.next();
    }

    /** Steps over the next token, and returns it. */
    public Token next() {
        Token token = peek();
        if (token.kind() != Kind.END) {
            ahead.removeFirst();
        }
        return token;
    }

    /** Whether the next token is this keyword. */
    public boolean isAt(String word) {
        return peek().isWord(word);
    }

    /** Whether the next token is this sign. */
    public boolean isAtSign(char sign) {
        return peek().isSign(sign);
    }

    /** Whether the next tokens are these words. */
    public boolean isAt(String first, String second) {
        return peek().isWord(first) && peek(1).isWord(second);
    }

    /** Steps over a word if it is the next token. */
    public boolean accept(String word) {
        if (!isAt(word)) {
            return false;
        }
        next();
        return true;
    }

    /** Steps over the words if they are the next tokens, over all or none. */
    public boolean accept(String first, String second) {
        if (!isAt(first, second)) {
            return false;
        }
        next();
        next();
        return true;
    }

    /** Steps over a sign if it is the next token. */
    public boolean acceptSign(char sign) {
        if (!isAtSign(sign)) {
            return false;
        }
        next();
        return true;
    }

    /**
     * Steps over a keyword.
     *
     * @throws UnreadableSqlException if it is not the next token, which is still the next one then
     */
    public void expect(String word) throws UnreadableSqlException {
        if (!accept(word)) {
            throw new UnreadableSqlException("expected %s, found '%s'".formatted(word, peek().shown()));
        }
    }

    /**
     * Steps over a sign.
     *
     * @throws UnreadableSqlException if it is not the next token, which is still the next one then
     */
    public void expectSign(char sign) throws UnreadableSqlException {
        if (!acceptSign(sign)) {
            throw new UnreadableSqlException("expected '%s', found '%s'".formatted(sign, peek().shown()));
        }
    }

    /** Steps over {@code IF EXISTS} if it is next. */
    public boolean acceptIfExists() {
        return accept("IF", "EXISTS");
    }

    /** Steps over {@code IF NOT EXISTS} if it is next. */
    public boolean acceptIfNotExists() {
        if (isAt("IF", "NOT") && peek(2).isWord("EXISTS")) {
            next();
            next();
            next();
            return true;
        }
        return false;
    }

    /** Whether the next token is a semicolon or the end of the text. */
    public boolean isAtStatementEnd() {
        return peek().kind() == Kind.END || isAtSign(';');
    }

    /** Whether the next token ends an item of a list: a comma, a closing parenthesis or the end of the statement. */
    public boolean isAtItemEnd() {
        return isAtSign(',') || isAtSign(')') || isAtStatementEnd();
    }

    /**
     * Steps over one token, or over parentheses with all that is in them.
     *
     * @throws UnreadableSqlException if a parenthesis is not closed
     */
    public void skipOne() throws UnreadableSqlException {
        if (!isAtSign('(')) {
            next();
            return;
        }
        int depth = 0;
        do {
            if (isAtSign('(')) {
                depth++;
            } else if (isAtSign(')')) {
                depth--;
            } else if (peek().kind() == Kind.END) {
                throw new UnreadableSqlException("a parenthesis is not closed");
            }
            next();
        } while (depth > 0);
    }

    /**
     * Steps to the end of an item of a list, over parentheses with what is in them.
     *
     * @throws UnreadableSqlException if a parenthesis is not closed
     */
    public void skipItem() throws UnreadableSqlException {
        while (!isAtItemEnd()) {
            skipOne();
        }
    }

    /** Steps to the end of the statement. */
    public void skipStatement() {
        while (!isAtStatementEnd()) {
            next();
        }
    }

    /**
     * Steps over a name, quoted or not, and returns it without quotes.
     *
     * @throws UnreadableSqlException if the next token is none, and is still the next one then
     */
    public String name() throws UnreadableSqlException {
        Token token = peek();
        switch (token.kind()) {
            case WORD, NAME, DOUBLE_QUOTED -> {
                next();
                return token.text();
            }
            default -> throw new UnreadableSqlException("expected a name, found '%s'".formatted(token.shown()));
        }
    }

    /**
     * Steps over a table's name, with or without its schema, and returns it.
     *
     * @param sessionSchema the schema of a name without one; may be empty
     * @throws UnreadableSqlException if there is none
     */
    public TableName tableName(String sessionSchema) throws UnreadableSqlException {
        if (acceptSign('.')) {
            return new TableName(sessionSchema, nameBehindDot());
        }
        String first = name();
        if (acceptSign('.')) {
            return new TableName(first, nameBehindDot());
        }
        return new TableName(sessionSchema, first);
    }

    private String nameBehindDot() throws UnreadableSqlException {
        if (peek().kind() == Kind.NUMBER) {
            return next().text();
        }
        return name();
    }
}
