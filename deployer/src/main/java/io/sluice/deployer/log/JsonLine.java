package io.sluice.deployer.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a line of an event of the log: one JSON object with {@code timestamp} (ISO 8601, UTC), {@code level}, {@code logger}, {@code thread},
 * what the MDC has (the {@code destination}), {@code message} and, for a failure, {@code exception} with {@code class}, {@code message} and
 * {@code stack}.
 *
 * <p>Logback has an encoder for JSON, too. Its times are numbers and its stack traces arrays of objects, which log stores do not show as
 * such.
 *
 * <p>Thread-safe.
 */
final class JsonLine {
    private static final int USUAL_CHARACTERS = 256;
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    /** The object and the end of its line. */
    String of(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(USUAL_CHARACTERS);
        Instant instant = event.getInstant();
        line.append('{');
        add(line, "timestamp", (instant == null ? Instant.ofEpochMilli(event.getTimeStamp()) : instant).toString());
        add(line, "level", event.getLevel().toString());
        add(line, "logger", event.getLoggerName());
        add(line, "thread", event.getThreadName());
        for (Map.Entry<String, String> entry : event.getMDCPropertyMap().entrySet()) {
            add(line, entry.getKey(), entry.getValue());
        }
        add(line, "message", event.getFormattedMessage());
        IThrowableProxy failure = event.getThrowableProxy();
        if (failure != null) {
            name(line, "exception");
            line.append('{');
            add(line, "class", failure.getClassName());
            add(line, "message", failure.getMessage());
            add(line, "stack", ThrowableProxyUtil.asString(failure));
            line.append('}');
        }
        return line.append("}\n").toString();
    }

    private static void add(StringBuilder line, String name, @Nullable String value) {
        if (value != null) {
            name(line, name);
            string(line, value);
        }
    }

    private static void name(StringBuilder line, String name) {
        if (line.charAt(line.length() - 1) != '{') {
            line.append(',');
        }
        string(line, name);
        line.append(':');
    }

    private static void string(StringBuilder line, String value) {
        line.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> line.append("\\\"");
                case '\\' -> line.append("\\\\");
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> {
                    // Line separators of Unicode are allowed in JSON, but some readers of lines end a line there.
                    // Surrogates
                    // without their other half have no form in UTF-8.
                    if (c < ' '
                            || c == '\u007f'
                            || c == '\u0085'
                            || c == '\u2028'
                            || c == '\u2029'
                            || isAlone(value, i)) {
                        line.append("\\u")
                                .append(HEX[c >> 12])
                                .append(HEX[c >> 8 & 0xf])
                                .append(HEX[c >> 4 & 0xf])
                                .append(HEX[c & 0xf]);
                    } else {
                        line.append(c);
                    }
                }
            }
        }
        line.append('"');
    }

    /** Whether a character is half of a pair whose other half is not beside it. */
    private static boolean isAlone(String value, int i) {
        char c = value.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == value.length() || !Character.isLowSurrogate(value.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(value.charAt(i - 1)));
    }
}
