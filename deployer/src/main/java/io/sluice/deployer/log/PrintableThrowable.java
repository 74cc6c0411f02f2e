package io.sluice.deployer.log;

import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import io.sluice.protocol.text.PrintableText;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An exception whose message, and those of its causes, are on one line each. The admin server has the same class: it needs logback, which no
 * module has that both use.
 */
record PrintableThrowable(IThrowableProxy thrown) implements IThrowableProxy {
    /** What toString() returns, if that is not class and message. */
    @Override
    public @Nullable String getOverridingMessage() {
        return printable(thrown.getOverridingMessage());
    }

    @Override
    public @Nullable String getMessage() {
        return printable(thrown.getMessage());
    }

    private static @Nullable String printable(@Nullable String message) {
        return message == null ? null : PrintableText.line(message);
    }

    @Override
    public String getClassName() {
        return thrown.getClassName();
    }

    @Override
    public StackTraceElementProxy[] getStackTraceElementProxyArray() {
        return thrown.getStackTraceElementProxyArray();
    }

    @Override
    public int getCommonFrames() {
        return thrown.getCommonFrames();
    }

    @Override
    public @Nullable IThrowableProxy getCause() {
        IThrowableProxy cause = thrown.getCause();
        return cause == null ? null : new PrintableThrowable(cause);
    }

    @Override
    public IThrowableProxy[] getSuppressed() {
        return Stream.of(thrown.getSuppressed()).map(PrintableThrowable::new).toArray(IThrowableProxy[]::new);
    }

    @Override
    public boolean isCyclic() {
        return thrown.isCyclic();
    }
}
