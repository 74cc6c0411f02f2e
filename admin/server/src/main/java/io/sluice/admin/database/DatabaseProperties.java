package io.sluice.admin.database;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where the admin server keeps what it has to keep.
 *
 * @param url {@code jdbc:mysql://host:port/database} of a MySQL server; null: the file
 * @param user the user name for MySQL
 * @param password of that user
 * @param file the SQLite file; relative to the working directory; its directory is created
 */
@ConfigurationProperties("sluice.database")
public record DatabaseProperties(
        @Nullable String url,
        @Nullable String user,
        @Nullable String password,
        @DefaultValue("../data/admin.db") String file) {

    /** Returns which database that is. */
    DatabaseKind kind() {
        return url == null || url.isBlank() ? DatabaseKind.SQLITE : DatabaseKind.MYSQL;
    }

    /** Returns a name for error messages: the file, or the URL without its parameters, which may have passwords. */
    String shownName() {
        return url == null || url.isBlank() ? file : new DatabaseUrl(url).shown();
    }

    /** Leaves out passwords. */
    @Override
    public String toString() {
        return "DatabaseProperties[url=" + (url == null ? null : new DatabaseUrl(url).shown()) + ", user=" + user
                + ", file=" + file + "]";
    }
}
