package io.sluice.admin.account;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Limits how many logins ask the identity provider at the same time: a login needs no authentication to begin, and while the provider does not answer each
 * holds a thread that others need. Thread-safe.
 */
final class OidcLimit extends OncePerRequestFilter {
    static final int MOST = 16;

    private static final Logger LOG = LoggerFactory.getLogger(OidcLimit.class);

    private final Runnable description;
    private final Semaphore places = new Semaphore(MOST);

    /**
     * Makes a limit.
     *
     * @param description asks the provider for its description unless it is known; fails if there is none
     */
    OidcLimit(Runnable description) {
        this.description = description;
    }

    /** Whether the provider has described itself, now or before. */
    private boolean isKnown() {
        try {
            description.run();
            return true;
        } catch (RuntimeException e) {
            LOG.warn(
                    "the identity provider cannot be asked: cause={}",
                    NestedExceptionUtils.getMostSpecificCause(e).toString());
            return false;
        }
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !request.getServletPath().startsWith("/oidc/");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!places.tryAcquire()) {
            LOG.debug("too many logins wait for the identity provider: address={}", request.getRemoteAddr());
            response.sendRedirect("/login?error=oidc");
            return;
        }
        try {
            if (request.getServletPath().startsWith(OidcConfiguration.START) && !isKnown()) {
                response.sendRedirect("/login?error=oidc");
                return;
            }
            chain.doFilter(request, response);
        } finally {
            places.release();
        }
    }
}
