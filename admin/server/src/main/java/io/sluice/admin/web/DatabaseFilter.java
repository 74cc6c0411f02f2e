package io.sluice.admin.web;

import io.sluice.admin.database.DatabaseFaults;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Answers requests with 503 whose session cannot be read, since the database cannot be used: no controller gets to see them. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 20)
class DatabaseFilter extends OncePerRequestFilter {
    static final String DETAIL =
            "The database of the admin server cannot be used at the moment: it is unreachable, or its disk is full or read-only. Nothing was changed; try again, and see logs/admin.log.";

    private static final Logger LOG = LoggerFactory.getLogger(DatabaseFilter.class);

    private final ProblemWriter problems;

    DatabaseFilter(ProblemWriter problems) {
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            chain.doFilter(request, response);
        } catch (ServletException | RuntimeException e) {
            if (!DatabaseFaults.isUnavailable(e) || response.isCommitted()) {
                throw e;
            }
            LOG.warn(
                    "the database cannot be used: cause={}",
                    NestedExceptionUtils.getMostSpecificCause(e).toString());
            problems.write(response, HttpStatus.SERVICE_UNAVAILABLE, DETAIL);
        }
    }
}
