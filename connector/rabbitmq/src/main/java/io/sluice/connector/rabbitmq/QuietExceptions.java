package io.sluice.connector.rabbitmq;

import com.rabbitmq.client.impl.ForgivingExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The client's own reports, which come besides what the callbacks are told: for debugging only. */
final class QuietExceptions extends ForgivingExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(QuietExceptions.class);

    @Override
    protected void log(String message, Throwable failure) {
        LOG.debug("{}", message, failure);
    }
}
