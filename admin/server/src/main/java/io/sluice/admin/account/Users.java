package io.sluice.admin.account;

import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.notice.ChangeNotice.What;
import io.sluice.admin.notice.ChangeNotices;
import io.sluice.admin.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Changes users. There is always an administrator who can log in. Thread-safe. */
@Component
class Users {
    private final UserStore users;
    private final Sessions sessions;
    private final AuditLog audit;
    private final ChangeNotices notices;
    private final Clock clock;

    Users(UserStore users, Sessions sessions, AuditLog audit, ChangeNotices notices, Clock clock) {
        this.users = users;
        this.sessions = sessions;
        this.audit = audit;
        this.notices = notices;
        this.clock = clock;
    }

    /** Returns a user. Throws 404 if there is none. */
    User get(String name) {
        return users.find(name).orElseThrow(() -> ProblemException.notFound("There is no such user."));
    }

    List<User> all() {
        return users.all();
    }

    @Transactional
    public User create(String name, String displayName, Role role, String hash) {
        if (users.find(name).isPresent()) {
            throw nameIsTaken();
        }
        User user = new User(name, displayName, role, UserSource.LOCAL, false, true, now(), null, hash);
        try {
            users.insert(user);
        } catch (DuplicateKeyException e) {
            throw nameIsTaken();
        }
        audit.done("user.create", "user " + name, null, user.toString());
        notices.changed(What.USERS, name);
        return user;
    }

    private static ProblemException nameIsTaken() {
        return ProblemException.conflict("There is a user of that name. Choose another one.");
    }

    /**
     * Changes a user. What is null stays as it is when the change is made, so that two changes at the same time do not undo each other.
     *
     * @throws ProblemException 404 if there is no such user, 409 if no administrator would be left
     */
    @Transactional
    public User update(
            String name, @Nullable String newDisplayName, @Nullable Role newRole, @Nullable Boolean nowDisabled) {
        users.lock();
        User before = get(name);
        String displayName = newDisplayName == null ? before.displayName() : newDisplayName;
        Role role = newRole == null ? before.role() : newRole;
        boolean disabled = nowDisabled == null ? before.disabled() : nowDisabled;
        boolean staysAdministrator = role == Role.ADMINISTRATOR && !disabled;
        if (before.isActiveAdministrator() && !staysAdministrator) {
            checkOtherAdministrator(before);
        }
        users.update(before.name(), displayName, role, disabled);
        User after = get(before.name());
        audit.done("user.change", "user " + before.name(), before.toString(), after.toString());
        notices.changed(What.USERS, before.name());
        if (disabled) {
            sessions.endAll(before.name(), null);
        } else {
            notices.afterCommit(new AccessChanged(before.name()));
        }
        return after;
    }

    @Transactional
    public User delete(String name) {
        users.lock();
        User before = get(name);
        if (before.isActiveAdministrator()) {
            checkOtherAdministrator(before);
        }
        users.delete(before.name());
        sessions.endAll(before.name(), null);
        audit.done("user.delete", "user " + before.name(), before.toString(), null);
        notices.changed(What.USERS, before.name());
        return before;
    }

    /**
     * Sets a password, and ends the sessions of the user.
     *
     * @param but the request whose session stays; null: none does
     */
    @Transactional
    public void setPassword(User user, String hash, boolean mustChange, @Nullable HttpServletRequest but) {
        users.setPassword(user.name(), hash, mustChange);
        sessions.endAll(user.name(), but);
        audit.done("user.password", "user " + user.name(), null, mustChange ? "a new initial password" : "changed");
        notices.changed(What.USERS, user.name());
    }

    /** The user of an identity provider, with the role of now; created if there is none. */
    @Transactional
    public User fromProvider(String name, String displayName, Role role) {
        User before = users.find(name).orElse(null);
        if (before == null) {
            User user = new User(name, displayName, role, UserSource.OIDC, false, false, now(), null, null);
            try {
                users.insert(user);
            } catch (DuplicateKeyException e) {
                throw takenByAnother(); // MySQL takes names for the same that differ in accents
            }
            audit.doneBy(name, "user.create", "user " + name, null, user + ", by the identity provider");
            notices.changed(What.USERS, name);
            return user;
        }
        if (before.source() != UserSource.OIDC || !before.name().equals(name)) {
            throw takenByAnother();
        }
        if (before.role() != role || !before.displayName().equals(displayName)) {
            users.update(name, displayName, role);
            User after = get(name);
            audit.doneBy(name, "user.change", "user " + name, before.toString(), after + ", by the identity provider");
            notices.changed(What.USERS, name);
            if (before.role() != role) {
                notices.afterCommit(new AccessChanged(name));
            }
            return after;
        }
        return before;
    }

    /** Ends the sessions of a user of the identity provider to whom it gives no role now. The user and the role here stay. */
    @Transactional
    public void endSessionsWithoutRole(String name) {
        boolean isOfProvider = users.find(name)
                .filter(user -> user.source() == UserSource.OIDC && user.name().equals(name))
                .isPresent();
        if (isOfProvider && sessions.endAll(name, null) > 0) {
            audit.doneBy(
                    name, "session.end", "user " + name, null, "all sessions: the identity provider gives no role");
        }
    }

    private static ProblemException takenByAnother() {
        return ProblemException.conflict(
                "There is a user of that name who does not come from the identity provider. Ask an administrator.");
    }

    /** Users of an identity provider do not count: it may be unreachable, or take the role away. */
    private void checkOtherAdministrator(User user) {
        boolean isLast = users.all().stream()
                .noneMatch(other -> !other.name().equals(user.name())
                        && other.isActiveAdministrator()
                        && other.source() == UserSource.LOCAL);
        if (isLast && user.source() == UserSource.LOCAL) {
            throw ProblemException.conflict(
                    "This is the last administrator with a password. Make another user an administrator first.");
        }
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }
}
