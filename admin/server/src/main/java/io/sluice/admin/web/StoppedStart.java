package io.sluice.admin.web;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Reports a start that failed since the server was stopped meanwhile as a stop.
 *
 * <p>A signal closes the context while the start still works with it. What fails after that, for example a task for a thread pool that
 * is shut down, is no problem of the server.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class StoppedStart implements SpringBootExceptionReporter {
    private static final Logger LOG = LoggerFactory.getLogger(StoppedStart.class);

    private final @Nullable ConfigurableApplicationContext context;

    StoppedStart(@Nullable ConfigurableApplicationContext context) {
        this.context = context;
    }

    @Override
    public boolean reportException(Throwable failure) {
        if (context == null || !context.isClosed()) {
            return false;
        }
        LOG.info("the admin server was stopped while it started");
        return true;
    }
}
