package io.sluice.schema.table;

import java.util.regex.Pattern;

/**
 * A column as the server stores it, of {@code SHOW EXTENDED COLUMNS}.
 *
 * @param name its name; for an index on an expression one that the server has made up
 * @param mysqlType its type
 * @param isVirtual whether it is computed when it is read
 */
public record StoredColumn(String name, String mysqlType, boolean isVirtual) {
    /**
     * The names that MySQL makes up: MD5 sums in releases from 8.0.13 on, names with a prefix in newer ones, as 8.0.31. Since a release after 8.0.15
     * such columns are not in the binlog; but an index that a newer release has made again may be that of an older binlog.
     */
    private static final Pattern INDEX_NAME = Pattern.compile("[0-9a-f]{32}|!hidden!.*");

    /** Whether it may be one for an index on an expression, which no definition of the table names. */
    public boolean isOfIndex() {
        return isVirtual && INDEX_NAME.matcher(name).matches();
    }
}
