package io.sluice.admin.account;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Ends sessions of logins that were overtaken by a change of their user.
 *
 * <p>To disable a user or to set another password ends all sessions of that user. A login that was being checked at that time stores its
 * session after that, so the user is checked once more when it is stored. Comes before the filter that stores sessions. Thread-safe.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 30)
class LateLogins extends OncePerRequestFilter {
    private static final Logger LOG = LoggerFactory.getLogger(LateLogins.class);
    private static final String LOGIN = LateLogins.class.getName();

    private final Logins logins;
    private final Sessions sessions;

    LateLogins(Logins logins, Sessions sessions) {
        this.logins = logins;
        this.sessions = sessions;
    }

    /** A login of this request. */
    private record Login(
            String session, User user, @Nullable String password) {
        @Override
        public String toString() {
            return "Login[user=" + user.name() + "]";
        }
    }

    /**
     * Has a login checked once more when its session is stored.
     *
     * @param session its id
     * @param user as they were when they were authenticated
     * @param password that was right; null for a user whose identity a provider has confirmed
     */
    static void check(HttpServletRequest request, String session, User user, @Nullable String password) {
        request.setAttribute(LOGIN, new Login(session, user, password));
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        chain.doFilter(request, response);
        if (request.getAttribute(LOGIN) instanceof Login login && !logins.couldStill(login.user(), login.password())) {
            LOG.warn(
                    "the session of a login is ended, since the user was changed while it was checked: user={}",
                    login.user().name());
            sessions.endOwn(login.user().name(), login.session());
        }
    }
}
