package io.sluice.server.probe;

import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.query.QueryResult;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a server keeps the files of its binlog.
 *
 * @param kind what decides on it
 * @param period after which a file is purged; zero if that does not happen by age, or is not known
 * @param setting where it is set, with its value; of a server, {@code name=value}
 */
record Retention(Kind kind, Duration period, String setting) {
    private static final String HOURS = "binlog retention hours";
    private static final String AMAZON_TABLE = "mysql.rds_configuration";
    private static final int NO_SUCH_TABLE = 1146;

    /** What decides when a file is purged. */
    enum Kind {
        /** Variables of the server. */
        SERVER,
        /** The number of hours that was set at Amazon RDS or Aurora, whose servers have the variables, too. */
        AMAZON,
        /** Amazon RDS or Aurora, which purge a file as soon as they do not need it. */
        AMAZON_AT_ONCE,
        /** Amazon RDS or Aurora, whose setting the user may not read. */
        AMAZON_UNKNOWN
    }

    /** Asks a server whose variables are known. */
    static Retention read(MySqlConnection connection, SourceVariables variables) throws IOException {
        try {
            QueryResult.Row row = connection
                    .query("SELECT value FROM %s WHERE name = '%s'".formatted(AMAZON_TABLE, HOURS))
                    .firstRow();
            return row == null ? ofServer(variables) : ofAmazon(row.text(0));
        } catch (ServerErrorException e) {
            boolean isThere = e.errno() != NO_SUCH_TABLE && variables.isAmazon();
            return isThere
                    ? new Retention(Kind.AMAZON_UNKNOWN, Duration.ZERO, "%s: %s".formatted(HOURS, e.serverMessage()))
                    : ofServer(variables);
        }
    }

    static Retention ofServer(SourceVariables variables) {
        return new Retention(Kind.SERVER, variables.retention(), variables.retentionSetting());
    }

    /** @param hours null if none were set */
    private static Retention ofAmazon(@Nullable String hours) {
        String setting = "%s=%s".formatted(HOURS, hours == null ? "NULL" : hours);
        long number = hours != null && hours.matches("\\d{1,6}") ? Long.parseLong(hours) : 0;
        return number == 0
                ? new Retention(Kind.AMAZON_AT_ONCE, Duration.ZERO, setting)
                : new Retention(Kind.AMAZON, Duration.ofHours(number), setting);
    }

    /** How to have files kept for longer. It states no number where one is set: a smaller one has files purged at once. */
    String remedy() {
        return switch (kind) {
            case SERVER -> "raise " + setting.substring(0, setting.indexOf('='));
            case AMAZON -> "raise '%s' (%d now) by CALL mysql.rds_set_configuration".formatted(HOURS, period.toHours());
            case AMAZON_AT_ONCE -> "run CALL mysql.rds_set_configuration('%s', 72)".formatted(HOURS);
            case AMAZON_UNKNOWN ->
                "run CALL mysql.rds_show_configuration, and if no hours are set, CALL mysql.rds_set_configuration('%s', 72)"
                        .formatted(HOURS);
        };
    }
}
