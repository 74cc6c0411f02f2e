package io.sluice.admin.account;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.context.DeferredSecurityContext;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.context.HttpRequestResponseHolder;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.stereotype.Component;

/**
 * Finds the caller of a request. A session holds the login name only; role and all else are read from the database with each request,
 * so that a change holds at once. Thread-safe.
 */
@Component
public class SessionContexts implements SecurityContextRepository {
    /** The attribute of a session that holds the login name; Spring Session finds the sessions of a user by it. */
    static final String NAME = FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME;

    private final UserStore users;
    private final AccountProperties properties;
    private final Clock clock;

    SessionContexts(UserStore users, AccountProperties properties, Clock clock) {
        this.users = users;
        this.properties = properties;
        this.clock = clock;
    }

    @Override
    @Deprecated
    @SuppressWarnings("deprecation") // the interface asks for it
    public SecurityContext loadContext(HttpRequestResponseHolder holder) {
        return context(holder.getRequest());
    }

    @Override
    public DeferredSecurityContext loadDeferredContext(HttpServletRequest request) {
        return new Deferred(request);
    }

    /** Does nothing: {@link Sessions} opens sessions. */
    @Override
    public void saveContext(SecurityContext context, HttpServletRequest request, HttpServletResponse response) {}

    @Override
    public boolean containsContext(HttpServletRequest request) {
        return nameOf(request) != null;
    }

    private SecurityContext context(HttpServletRequest request) {
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        String name = nameOf(request);
        if (name != null) {
            users.find(name)
                    .filter(user -> !user.disabled())
                    .ifPresent(user -> context.setAuthentication(new CallerToken(Caller.of(user))));
        }
        return context;
    }

    private @Nullable String nameOf(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        return session != null
                        && session.getAttribute(NAME) instanceof String name
                        && !properties.isOver(session.getCreationTime(), clock.millis())
                ? name
                : null;
    }

    /** Loads the context lazily: static pages need no user. */
    private final class Deferred implements DeferredSecurityContext {
        private final HttpServletRequest request;
        private @Nullable SecurityContext context;

        Deferred(HttpServletRequest request) {
            this.request = request;
        }

        @Override
        public SecurityContext get() {
            SecurityContext known = context;
            if (known == null) {
                known = context(request);
                context = known;
            }
            return known;
        }

        @Override
        public boolean isGenerated() {
            return get().getAuthentication() == null;
        }
    }
}
