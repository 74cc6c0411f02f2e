package io.sluice.admin.account;

import io.sluice.admin.audit.AuditLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Makes the first users, before the port is opened: those of canal-admin, if the database is one of it, else an administrator with a
 * random password. That password is in a file, and on the console if there is one; never in a log.
 */
@Component
class FirstUsers implements SmartInitializingSingleton {
    private static final Logger LOG = LoggerFactory.getLogger(FirstUsers.class);
    /** Set by {@code startup.sh} if the standard output is a terminal, which keeps nothing. */
    private static final String TERMINAL = "sluice.admin.terminal";

    private static final String ADMIN = "admin";

    private final UserStore users;
    private final Passwords passwords;
    private final InitialPasswordFile file;
    private final AccountProperties properties;
    private final JdbcClient database;
    private final TransactionTemplate transaction;
    private final AuditLog audit;
    private final Clock clock;

    FirstUsers(
            UserStore users,
            Passwords passwords,
            InitialPasswordFile file,
            AccountProperties properties,
            JdbcClient database,
            TransactionTemplate transaction,
            AuditLog audit,
            Clock clock) {
        this.users = users;
        this.passwords = passwords;
        this.file = file;
        this.properties = properties;
        this.database = database;
        this.transaction = transaction;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (users.isEmpty()) {
            List<Legacy> found = legacy();
            if (found.isEmpty()) {
                createAdministrator();
            } else {
                takeOver(found);
            }
        }
        String name = properties.resetPassword();
        if (name != null && !name.isBlank()) {
            reset(name);
        }
    }

    private record Legacy(String username, String password, String name) {}

    private List<Legacy> legacy() {
        return database.sql("SELECT username, password, name FROM canal_user ORDER BY id")
                .query((row, number) -> new Legacy(row.getString(1), row.getString(2), row.getString(3)))
                .list();
    }

    private void takeOver(List<Legacy> found) {
        Set<String> names = new HashSet<>();
        transaction.executeWithoutResult(status -> {
            for (Legacy legacy : found) {
                if (legacy.username().isBlank() || !names.add(legacy.username().toLowerCase(Locale.ROOT))) {
                    LOG.warn(
                            "a user of canal-admin has a name that is blank or that another has, and is left out: user={}",
                            legacy.username());
                    continue;
                }
                boolean isDefault =
                        new CanalPasswordEncoder().matches(CanalPasswordEncoder.DEFAULT_PASSWORD, legacy.password());
                users.insert(new User(
                        legacy.username(),
                        legacy.name(),
                        Role.ADMINISTRATOR,
                        UserSource.LOCAL,
                        false,
                        isDefault,
                        Instant.ofEpochMilli(clock.millis()),
                        null,
                        Passwords.CANAL + legacy.password()));
                audit.done("user.take-over", "user " + legacy.username(), null, "role=administrator");
                if (isDefault) {
                    LOG.warn(
                            "a user of canal-admin has the password 123456 of the installation, and must change it: user={}",
                            legacy.username());
                }
            }
        });
        LOG.info("took over the users of canal-admin, as administrators: count={}", names.size());
    }

    private void createAdministrator() {
        String password = passwords.random();
        String hash = passwords.hash(password);
        write(ADMIN, password); // first, so that a crash leaves no user with an unknown password
        transaction.executeWithoutResult(status -> {
            users.insert(new User(
                    ADMIN,
                    "Administrator",
                    Role.ADMINISTRATOR,
                    UserSource.LOCAL,
                    false,
                    true,
                    Instant.ofEpochMilli(clock.millis()),
                    null,
                    hash));
            audit.done("user.create", "user " + ADMIN, null, "role=administrator");
        });
        show(ADMIN, password);
    }

    private void reset(String name) {
        User user = users.find(name)
                .filter(found -> found.source() == UserSource.LOCAL)
                .orElseThrow(
                        () -> new IllegalStateException(
                                "sluice.account.reset-password names " + name
                                        + ", and there is no such user with a password. Name one that there is, or remove the setting."));
        String password = passwords.random();
        String hash = passwords.hash(password);
        write(user.name(), password);
        transaction.executeWithoutResult(status -> {
            users.setPassword(user.name(), hash, true);
            users.update(user.name(), user.displayName(), user.role(), false);
            database.sql("DELETE FROM SPRING_SESSION WHERE principal_name = ?")
                    .param(user.name())
                    .update();
            audit.done(
                    "user.password",
                    "user " + user.name(),
                    null,
                    "a new initial password, by sluice.account.reset-password");
        });
        show(user.name(), password);
    }

    private void write(String user, String password) {
        try {
            file.write(user, password);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The initial password cannot be written to " + file.path()
                            + ". Set sluice.account.initial-password-file to a file that can be created.",
                    e);
        }
    }

    private void show(String user, String password) {
        LOG.info(
                "a user got an initial password, which must be changed at the first login: user={} file={}",
                user,
                file.path());
        if (System.getProperty(TERMINAL) != null) {
            System.out.printf(
                    "%nThe initial password of %s is %s%nIt is in %s, too, until it is changed.%n%n",
                    user, password, file.path());
        }
    }
}
