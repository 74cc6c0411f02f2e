package io.sluice.admin.account;

import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.problem.ProblemException;
import io.sluice.admin.time.SteadyClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Authenticates users. Neither the text of an answer nor its delay reveals whether a user exists. Thread-safe.
 */
@Component
class Logins {
    private static final Logger LOG = LoggerFactory.getLogger(Logins.class);

    private final UserStore users;
    private final Passwords passwords;
    private final AttemptLimit limit;
    private final AuditLog audit;
    private final TransactionTemplate transaction;
    private final Clock clock;

    Logins(UserStore users, Passwords passwords, AuditLog audit, TransactionTemplate transaction, Clock clock) {
        this.users = users;
        this.passwords = passwords;
        this.limit = new AttemptLimit(new SteadyClock());
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /**
     * Logs a user in.
     *
     * @param address of the client
     * @throws ProblemException 401 if name or password are wrong or the user is disabled; 429 after too many failures
     */
    User login(String name, String password, String address) {
        begin(name, address);
        Optional<User> found = users.find(name);
        boolean matches =
                passwords.matches(password, found.map(User::passwordHash).orElse(null));
        if (!matches || found.isEmpty() || found.get().disabled()) {
            LOG.warn(
                    "a login failed: user={} address={}",
                    found.map(User::name)
                            .orElse("(unknown)"), // it may be a password that was typed into the wrong field
                    address);
            throw ProblemException.of(HttpStatus.UNAUTHORIZED, "User name or password is wrong.");
        }
        User user = found.get();
        limit.succeeded(name, address);
        String hash = String.valueOf(user.passwordHash());
        String better = passwords.isOutdated(hash) ? passwords.hash(password) : hash;
        loggedIn(user, "by password", better.equals(hash) ? null : better);
        return user;
    }

    /**
     * Whether a user who has just logged in could still do so.
     *
     * @param password that was right; null for a user whose identity a provider has confirmed
     */
    boolean couldStill(User user, @Nullable String password) {
        User now = users.find(user.name()).orElse(null);
        return now != null
                && !now.disabled()
                && now.source() == user.source()
                && Objects.equals(now.created(), user.created())
                && (password == null
                        || Objects.equals(now.passwordHash(), user.passwordHash())
                        || passwords.matches(password, now.passwordHash()));
    }

    /** Records a login of a user whose identity is known. */
    void loggedIn(User user, String how, @Nullable String betterHash) {
        transaction.executeWithoutResult(status -> {
            if (betterHash != null) {
                users.upgradeHash(user.name(), String.valueOf(user.passwordHash()), betterHash);
            }
            users.loggedIn(user.name(), Instant.ofEpochMilli(clock.millis()));
            audit.doneBy(user.name(), "session.login", "user " + user.name(), null, how);
        });
    }

    /** Checks the password of a user who is logged in; limited as a login is. */
    void checkOwn(User user, String password, String address) {
        begin(user.name(), address);
        if (!passwords.matches(password, user.passwordHash())) {
            throw ProblemException.badRequest("The old password is wrong.");
        }
        limit.succeeded(user.name(), address);
    }

    private void begin(String name, String address) {
        Duration wait = limit.begin(name, address);
        if (!wait.isZero()) {
            throw ProblemException.tooManyRequests(
                    "Too many attempts have failed. Try again in %d seconds."
                            .formatted(wait.plusMillis(999).toSeconds()),
                    wait);
        }
    }
}
