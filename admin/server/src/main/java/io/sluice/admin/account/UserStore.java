package io.sluice.admin.account;

import io.sluice.admin.database.DatabaseKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of users. Names that differ in case only are the same, with any database. Thread-safe. */
@Repository
public class UserStore {
    private static final String COLUMNS =
            "name, display_name, role, source, disabled, must_change_password, created_at, last_login_at, password_hash";

    private final JdbcClient database;
    private final DatabaseKind kind;

    UserStore(JdbcClient database, DatabaseKind kind) {
        this.database = database;
        this.kind = kind;
    }

    /** Has other changes of users wait until the transaction ends. The first statement of it, or it would read what was before. */
    void lock() {
        database.sql("SELECT name FROM sluice_user ORDER BY name" + kind.forUpdate())
                .query(String.class)
                .list();
    }

    /** Finds a user; the name may differ in case. */
    public Optional<User> find(String name) {
        // MySQL ignores accents, too, which must not make two names one.
        return database
                .sql("SELECT " + COLUMNS + " FROM sluice_user WHERE lower(name) = lower(?)")
                .param(name)
                .query(UserStore::user)
                .list()
                .stream()
                .filter(user -> user.name().equalsIgnoreCase(name))
                .findFirst();
    }

    List<User> all() {
        return database.sql("SELECT " + COLUMNS + " FROM sluice_user ORDER BY name")
                .query(UserStore::user)
                .list();
    }

    boolean isEmpty() {
        return database.sql("SELECT count(*) FROM sluice_user")
                        .query(Long.class)
                        .single()
                == 0;
    }

    void insert(User user) {
        database.sql("INSERT INTO sluice_user (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .params(Arrays.asList(
                        user.name(),
                        user.displayName(),
                        user.role().text(),
                        user.source().text(),
                        user.disabled() ? 1 : 0,
                        user.mustChangePassword() ? 1 : 0,
                        millis(user.created()),
                        millis(user.lastLogin()),
                        user.passwordHash()))
                .update();
    }

    void update(String name, String displayName, Role role, boolean disabled) {
        database.sql("UPDATE sluice_user SET display_name = ?, role = ?, disabled = ? WHERE name = ?")
                .params(displayName, role.text(), disabled ? 1 : 0, name)
                .update();
    }

    /** Changes what an identity provider reports of a user, which does not include whether the user is disabled here. */
    void update(String name, String displayName, Role role) {
        database.sql("UPDATE sluice_user SET display_name = ?, role = ? WHERE name = ?")
                .params(displayName, role.text(), name)
                .update();
    }

    void setPassword(String name, String hash, boolean mustChange) {
        database.sql("UPDATE sluice_user SET password_hash = ?, must_change_password = ? WHERE name = ?")
                .params(hash, mustChange ? 1 : 0, name)
                .update();
    }

    /** Replaces a hash by a better one of the same password, unless the password was changed meanwhile. */
    void upgradeHash(String name, String before, String after) {
        database.sql("UPDATE sluice_user SET password_hash = ? WHERE name = ? AND password_hash = ?")
                .params(after, name, before)
                .update();
    }

    void loggedIn(String name, Instant when) {
        database.sql("UPDATE sluice_user SET last_login_at = ? WHERE name = ?")
                .params(when.toEpochMilli(), name)
                .update();
    }

    void delete(String name) {
        database.sql("DELETE FROM sluice_user WHERE name = ?").param(name).update();
    }

    private static User user(ResultSet row, int number) throws SQLException {
        return new User(
                row.getString(1),
                row.getString(2),
                Role.of(row.getString(3)),
                UserSource.valueOf(row.getString(4).toUpperCase(Locale.ROOT)),
                row.getInt(5) != 0,
                row.getInt(6) != 0,
                instant(row, 7),
                instant(row, 8),
                row.getString(9));
    }

    private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(millis);
    }

    private static @Nullable Long millis(@Nullable Instant instant) {
        return instant == null ? null : instant.toEpochMilli();
    }
}
