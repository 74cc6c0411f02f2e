package io.sluice.schema.ddl;

import io.sluice.schema.sql.MaskedSql;

/** The text of a statement as logs have it: masked, and the beginning of one line. */
final class LoggedSql {
    private static final int MAX_CHARS = 200;

    private LoggedSql() {}

    static String of(String sql) {
        String line = MaskedSql.of(sql).replaceAll("\\s+", " ");
        if (sql.length() > MaskedSql.MAX_CHARS && line.length() <= MAX_CHARS) {
            return "%s (%d characters)".formatted(line, sql.length());
        }
        return line.length() <= MAX_CHARS ? line : line.substring(0, MAX_CHARS) + "...";
    }
}
