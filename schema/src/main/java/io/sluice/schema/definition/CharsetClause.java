package io.sluice.schema.definition;

import io.sluice.mysql.charset.MySqlCharsets;
import io.sluice.schema.sql.Token;
import io.sluice.schema.sql.TokenCursor;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.ColumnSchema;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Collects {@code CHARACTER SET} and {@code COLLATE} clauses; the set wins over the one that a collation implies. For one thread. */
public final class CharsetClause {
    /** The name of a set that cannot be determined, since a default was changed after the statement that takes it. */
    public static final String UNKNOWN = ColumnSchema.UNKNOWN_CHARSET;

    private static final String DEFAULT = "default";

    private @Nullable String named;
    private @Nullable String implied;
    private boolean isOfAnySet;

    /**
     * Steps over a clause if the next tokens are one.
     *
     * @return whether they were
     * @throws UnreadableSqlException if a clause does not name a set or a collation
     */
    public boolean accept(TokenCursor cursor) throws UnreadableSqlException {
        if (cursor.accept("CHARSET") || cursor.accept("CHARACTER", "SET") || cursor.accept("CHAR", "SET")) {
            named = word(cursor);
            return true;
        }
        if (cursor.accept("COLLATE")) {
            implied = charsetOfCollation(word(cursor));
            isOfAnySet = implied == null;
            return true;
        }
        return false;
    }

    /** Sets the character set that another keyword implies, such as {@code ASCII}. */
    void name(String charset) {
        named = charset;
    }

    /** The set; null if no clause was seen or it leaves it to the default. */
    public @Nullable String charset() {
        String charset = named == null || named.equals(DEFAULT) ? implied : named;
        return DEFAULT.equals(charset) ? null : charset;
    }

    /** Whether it names a collation that does not determine the set, which is one of text. */
    boolean isOfUntoldText() {
        return charset() == null && isOfAnySet;
    }

    /** Whether it sets the default, as {@code CHARACTER SET DEFAULT} does. */
    public boolean isDefault() {
        return DEFAULT.equals(named) && charset() == null;
    }

    private static String word(TokenCursor cursor) throws UnreadableSqlException {
        cursor.acceptSign('=');
        Token token = cursor.peek();
        if (token.isString()) {
            cursor.next();
            return token.text().toLowerCase(Locale.ROOT);
        }
        return cursor.name().toLowerCase(Locale.ROOT);
    }

    /** Collations are named for their set, up to the first underscore; but for those of MariaDB that every Unicode set has, as {@code uca1400_ai_ci}. */
    private static @Nullable String charsetOfCollation(String collation) {
        int end = collation.indexOf('_');
        String charset = end < 0 ? collation : collation.substring(0, end);
        return charset.equals(DEFAULT) || MySqlCharsets.decoder(charset) != null ? charset : null;
    }
}
