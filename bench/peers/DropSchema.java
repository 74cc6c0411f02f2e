import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** Drops a schema without a trace in the binlog: {@code DropSchema.java URL USER SCHEMA}, for a user without a password. */
final class DropSchema {
    private DropSchema() {}

    public static void main(String[] arguments) throws SQLException {
        try (Connection connection = DriverManager.getConnection(arguments[0], arguments[1], "");
                Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION sql_log_bin = 0");
            statement.execute("DROP DATABASE IF EXISTS `" + arguments[2] + "`");
        }
    }
}
