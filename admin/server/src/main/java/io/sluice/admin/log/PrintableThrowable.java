package io.sluice.admin.log;

import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An exception whose message, and those of its causes, have neither line breaks nor what could control a terminal. */
record PrintableThrowable(IThrowableProxy thrown) implements IThrowableProxy {
    /** The same characters as in conf/logback.xml, for the messages of the log. */
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0A-\\x1F\\x7F-\\x9F\\u2028\\u2029]");

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
        return message == null ? null : CONTROL.matcher(message).replaceAll(" ");
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
