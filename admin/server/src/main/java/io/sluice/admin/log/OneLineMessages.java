package io.sluice.admin.log;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.IThrowableProxy;

/** Writes a stack trace on lines of its own, of which each message has one, so that it cannot look like lines of the log. */
public final class OneLineMessages extends ThrowableProxyConverter {
    @Override
    protected String throwableProxyToString(IThrowableProxy thrown) {
        return super.throwableProxyToString(new PrintableThrowable(thrown));
    }
}
