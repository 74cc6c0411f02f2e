package io.sluice.admin.account;

import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Users, for administrators. */
@RestController
@RequestMapping("/api/v2/users")
class UserController {
    private final Users users;
    private final Sessions sessions;
    private final Passwords passwords;
    private final AuditLog audit;

    UserController(Users users, Sessions sessions, Passwords passwords, AuditLog audit) {
        this.users = users;
        this.sessions = sessions;
        this.passwords = passwords;
        this.audit = audit;
    }

    /** A user to create. */
    record NewUser(
            @NotNull @Pattern(
                    regexp = "^[A-Za-z0-9._@-]{1,64}$",
                    message = "must be 1 to 64 letters, digits, dots, underscores, at signs and hyphens")
            String name,

            @NotNull @Size(max = 255) String displayName,
            @NotNull Role role) {}

    /** What is changed of a user; what is not given stays. */
    record UserInput(
            @Nullable @Size(max = 255) String displayName,
            @Nullable Role role,
            @Nullable Boolean disabled) {}

    /** A password that is shown once. */
    record InitialPassword(String name, String password) {
        /** Without the password. */
        @Override
        public String toString() {
            return "InitialPassword[name=" + name + "]";
        }
    }

    @GetMapping
    List<User> users() {
        return users.all();
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    InitialPassword createUser(@Valid @RequestBody NewUser user) {
        String password = passwords.random();
        users.create(user.name(), user.displayName(), user.role(), passwords.hash(password));
        return new InitialPassword(user.name(), password);
    }

    @PutMapping("/{user}")
    User updateUser(@PathVariable String user, @Valid @RequestBody UserInput input) {
        return users.update(user, input.displayName(), input.role(), input.disabled());
    }

    @DeleteMapping("/{user}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void deleteUser(@PathVariable String user) {
        users.delete(user);
    }

    @PostMapping("/{user}/password")
    InitialPassword resetPassword(@PathVariable String user) {
        User found = users.get(user);
        if (found.source() != UserSource.LOCAL) {
            throw ProblemException.conflict("This user logs in with an identity provider, and has no password here.");
        }
        String password = passwords.random();
        users.setPassword(found, passwords.hash(password), true, null);
        return new InitialPassword(found.name(), password);
    }

    @GetMapping("/{user}/sessions")
    List<OpenSession> userSessions(@PathVariable String user, HttpServletRequest request) {
        return sessions.of(users.get(user).name(), request);
    }

    @DeleteMapping("/{user}/sessions")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void endUserSessions(@PathVariable String user) {
        User found = users.get(user);
        sessions.endAll(found.name(), null);
        audit.done("session.end", "user " + found.name(), null, "all sessions");
    }
}
