package io.sluice.schema.canal;

import com.alibaba.druid.DbType;
import com.alibaba.druid.sql.SQLUtils;
import io.sluice.schema.sql.SourceTraits;

/**
 * Determines whether canal's parser reads a text, since canal makes another entry of a text that it cannot parse.
 *
 * <p>That parser is a descendant of Druid's, and is replaced by Druid's here, for what {@link DruidText} does not know better. The table
 * schemas do not depend on it.
 */
public final class CanalGrammar {
    /** Longer texts are not DDL of tables; parsing them would cost much memory. */
    private static final int LONGEST = 1 << 20;

    private CanalGrammar() {}

    /**
     * Whether canal's parser reads all statements of a text; taken for granted if it is too long to be DDL of tables.
     *
     * @param source the server that executed it
     */
    public static boolean reads(String sql, SourceTraits source) {
        return sql.length() > LONGEST || druidReads(sql) || druidReads(DruidText.of(sql, source));
    }

    private static boolean druidReads(String sql) {
        try {
            SQLUtils.parseStatements(sql, DbType.mysql);
            return true;
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            return false; // its ParserException, and what else texts provoke in it: it uses libraries that are not here
        }
    }
}
