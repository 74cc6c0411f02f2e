package io.sluice.connector.rabbitmq.settings;

import com.rabbitmq.client.impl.ForgivingExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the client's own reports at debug level: the callbacks get the same. */
final class QuietExceptions extends ForgivingExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(QuietExceptions.class);

    @Override
    protected void log(String message, Throwable failure) {
        LOG.debug("{}", message, failure);
    }
}
