package io.sluice.connector.rocketmq.log;

import org.apache.rocketmq.logging.org.slf4j.Marker;
import org.apache.rocketmq.logging.org.slf4j.event.Level;
import org.apache.rocketmq.logging.org.slf4j.helpers.LegacyAbstractLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Writes what RocketMQ's client logs with a logger of this process. */
final class ClientLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1L;

    private final transient Logger ours;

    ClientLogger(String name, Logger ours) {
        this.name = name;
        this.ours = ours;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            String message,
            @Nullable Object @Nullable [] arguments,
            @Nullable Throwable cause) {
        ours.atLevel(org.slf4j.event.Level.valueOf(level.name()))
                .setCause(cause)
                .log(message, arguments == null ? new Object[0] : arguments);
    }

    @Override
    protected String getFullyQualifiedCallerName() {
        return ClientLogger.class.getName();
    }

    @Override
    public boolean isTraceEnabled() {
        return ours.isTraceEnabled();
    }

    @Override
    public boolean isDebugEnabled() {
        return ours.isDebugEnabled();
    }

    @Override
    public boolean isInfoEnabled() {
        return ours.isInfoEnabled();
    }

    @Override
    public boolean isWarnEnabled() {
        return ours.isWarnEnabled();
    }

    @Override
    public boolean isErrorEnabled() {
        return ours.isErrorEnabled();
    }
}
