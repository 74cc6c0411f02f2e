package io.sluice.admin.database;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** A database that can be used, and where its SQL differs from that of the other one. */
public enum DatabaseKind {
    /** A file of this server. Its one connection does one transaction at a time, so no row needs a lock. */
    SQLITE("", "length(CAST(%s AS BLOB))"),
    /** MySQL, MariaDB and what speaks like them. */
    MYSQL(" FOR UPDATE", "length(%s)");

    private final String forUpdate;
    private final String byteLength;

    DatabaseKind(String forUpdate, String byteLength) {
        this.forUpdate = forUpdate;
        this.byteLength = byteLength;
    }

    /** Returns what is written after a {@code SELECT} that locks the rows it finds until the transaction ends. */
    public String forUpdate() {
        return forUpdate;
    }

    /** Returns an expression for the length of a text in bytes of UTF-8. */
    public String byteLength(String column) {
        return byteLength.formatted(column);
    }

    /** Reads a {@code modified_time} or {@code creation_date} of canal's tables, which is in UTC; null if it is. */
    public @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        if (this == MYSQL) {
            LocalDateTime time = row.getObject(column, LocalDateTime.class);
            return time == null ? null : time.toInstant(ZoneOffset.UTC);
        }
        String text = row.getString(column);
        return text == null ? null : LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
    }
}
