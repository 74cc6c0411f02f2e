package io.sluice.stream.differential;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which statements a server can execute.
 *
 * @param version as in executable comments: 80031 is 8.0.31, 101106 is 10.11.6
 * @param foldsNames whether names of tables are the same in upper and lower case
 */
record Dialect(boolean mariaDb, int version, boolean foldsNames) {
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)");

    static Dialect of(Connection connection, boolean mariaDb) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select version(), @@lower_case_table_names")) {
            row.next();
            Matcher version = VERSION.matcher(row.getString(1));
            if (!version.find()) {
                throw new IllegalStateException("not a version: " + row.getString(1));
            }
            return new Dialect(
                    mariaDb,
                    Integer.parseInt(version.group(1)) * 10_000
                            + Integer.parseInt(version.group(2)) * 100
                            + Integer.parseInt(version.group(3)),
                    row.getInt(2) != 0);
        }
    }

    boolean isMySqlFrom(int first) {
        return !mariaDb && version >= first;
    }

    boolean isMariaDbFrom(int first) {
        return mariaDb && version >= first;
    }
}
