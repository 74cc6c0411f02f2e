package io.sluice.admin.account;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A user, as the API shows them.
 *
 * @param name the login name
 * @param displayName the name for people
 * @param role what they may do
 * @param source what authenticates them
 * @param disabled whether they cannot log in
 * @param mustChangePassword whether their password is an initial one
 * @param created when; null if it is unknown
 * @param lastLogin when; null if never
 * @param passwordHash as the password encoder writes it; null for users of an identity provider; not shown
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record User(
        String name,
        String displayName,
        Role role,
        UserSource source,
        boolean disabled,
        boolean mustChangePassword,
        @Nullable Instant created,
        @Nullable Instant lastLogin,
        @JsonIgnore @Nullable String passwordHash) {

    boolean isActiveAdministrator() {
        return role == Role.ADMINISTRATOR && !disabled;
    }

    /** Without the hash. */
    @Override
    public String toString() {
        return "name=%s, displayName=%s, role=%s, disabled=%s".formatted(name, displayName, role.text(), disabled);
    }
}
