package io.sluice.admin.account;

import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.problem.ProblemException;
import io.sluice.server.version.BuildVersion;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Logging in and out, and the own password and sessions. */
@RestController
@RequestMapping("/api/v2")
class SessionController {
    private final Logins logins;
    private final Users users;
    private final Sessions sessions;
    private final Passwords passwords;
    private final InitialPasswordFile initialPassword;
    private final AuditLog audit;
    private final AccountProperties account;
    private final OidcProperties oidc;

    SessionController(
            Logins logins,
            Users users,
            Sessions sessions,
            Passwords passwords,
            InitialPasswordFile initialPassword,
            AuditLog audit,
            AccountProperties account,
            OidcProperties oidc) {
        this.logins = logins;
        this.users = users;
        this.sessions = sessions;
        this.passwords = passwords;
        this.initialPassword = initialPassword;
        this.audit = audit;
        this.account = account;
        this.oidc = oidc;
    }

    /** How one can log in. */
    record LoginOptions(
            String version, boolean password, @Nullable OidcOption oidc) {}

    /** An identity provider. */
    record OidcOption(String name, String url) {}

    /** A name and a password. */
    record Login(
            @NotNull @Size(max = 255) String name,
            @NotNull @Size(max = 1024) String password) {
        /** Without the password. */
        @Override
        public String toString() {
            return "Login[]";
        }
    }

    /** A change of the own password. */
    record PasswordChange(
            @NotNull @Size(max = 1024) String oldPassword,
            @NotNull @Size(max = 1024) String newPassword) {
        /** Without the passwords. */
        @Override
        public String toString() {
            return "PasswordChange[]";
        }
    }

    /** Returns the user of the session. */
    record Session(
            String name,
            String displayName,
            Role role,
            boolean mustChangePassword,
            UserSource source,
            Instant since,
            Instant expires) {
        static Session of(Caller caller, HttpSession session, Duration longest) {
            Instant created = Instant.ofEpochMilli(session.getCreationTime());
            Instant idle =
                    Instant.ofEpochMilli(session.getLastAccessedTime()).plusSeconds(session.getMaxInactiveInterval());
            Instant end = created.plus(longest);
            return new Session(
                    caller.name(),
                    caller.displayName(),
                    caller.role(),
                    caller.mustChangePassword(),
                    caller.source(),
                    created,
                    idle.isBefore(end) ? idle : end);
        }
    }

    @GetMapping("/login-options")
    LoginOptions loginOptions() {
        return new LoginOptions(
                BuildVersion.ofThisBuild().version(),
                true,
                oidc.isOn() ? new OidcOption(oidc.name(), OidcConfiguration.START) : null);
    }

    @PostMapping("/session")
    Session login(@Valid @RequestBody Login login, HttpServletRequest request, HttpServletResponse response) {
        User user = logins.login(login.name(), login.password(), request.getRemoteAddr());
        HttpSession session = sessions.open(request, response, user.name());
        LateLogins.check(request, session.getId(), user, login.password());
        return Session.of(Caller.of(user), session, account.longestSession());
    }

    @GetMapping("/session")
    Session session(@AuthenticationPrincipal Caller caller, HttpServletRequest request) {
        return Session.of(caller, request.getSession(), account.longestSession());
    }

    @DeleteMapping("/session")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void logout(@AuthenticationPrincipal Caller caller, HttpServletRequest request) {
        sessions.close(request, caller.name());
    }

    @PutMapping("/session/password")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void changePassword(
            @AuthenticationPrincipal Caller caller,
            @Valid @RequestBody PasswordChange change,
            HttpServletRequest request) {
        User user = users.get(caller.name());
        if (user.source() != UserSource.LOCAL) {
            throw ProblemException.badRequest("You log in with an identity provider: change the password there.");
        }
        logins.checkOwn(user, change.oldPassword(), request.getRemoteAddr());
        passwords.checkNew(change.newPassword(), user.name());
        if (change.newPassword().equals(change.oldPassword())) {
            throw ProblemException.badRequest("The new password is the old one. Choose another.");
        }
        users.setPassword(user, passwords.hash(change.newPassword()), false, request);
        initialPassword.changed(user.name());
    }

    @GetMapping("/session/all")
    List<OpenSession> ownSessions(@AuthenticationPrincipal Caller caller, HttpServletRequest request) {
        return sessions.of(caller.name(), request);
    }

    @DeleteMapping("/session/all/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void endOwnSession(@AuthenticationPrincipal Caller caller, @PathVariable String id) {
        if (!sessions.end(caller.name(), id)) {
            throw ProblemException.notFound("There is no such session any more.");
        }
        audit.done("session.end", "user " + caller.name(), null, null);
    }
}
