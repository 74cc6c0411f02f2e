package io.sluice.admin.account;

import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * The user of a request, as the database had them when the request came. A controller gets it by a parameter with {@code
 * AuthenticationPrincipal}. Never changes.
 *
 * @param name the login name
 * @param displayName the name for people
 * @param role what they may do
 * @param source what authenticated them
 * @param mustChangePassword whether they may do nothing but that
 */
public record Caller(String name, String displayName, Role role, UserSource source, boolean mustChangePassword)
        implements Principal {
    static Caller of(User user) {
        return new Caller(user.name(), user.displayName(), user.role(), user.source(), user.mustChangePassword());
    }

    @Override
    public String getName() {
        return name;
    }

    /** Returns the user of this thread's request; null if there is no session. */
    public static @Nullable Caller current() {
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        return authentication != null && authentication.getPrincipal() instanceof Caller caller ? caller : null;
    }
}
