package io.sluice.admin.database;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.core.NestedExceptionUtils;

/**
 * The URL of the database, which may have passwords: in its parameters, and before the host in a form that only other drivers accept.
 *
 * @param text as it is in the configuration
 */
record DatabaseUrl(String text) {
    private static final String PLAIN_HOST = "(?:[\\w.-]+|\\[[\\p{XDigit}:.]+])(?::\\d{1,5})?";
    private static final String ADDRESS = "address=(?:\\((?:host|port|type)=[\\w.:\\[\\]-]+\\))+";
    private static final String HOST = "(?:" + PLAIN_HOST + "|" + ADDRESS + ")";
    /** Without a host there is a socket among the parameters. */
    private static final Pattern PLAIN = Pattern.compile(
            "(jdbc:(?:mysql|mariadb):(?:\\w+:)?//(?:" + HOST + "(?:," + HOST + ")*)?(?:/[^\\s/@:;&=?]*)?)(?:\\?.*)?",
            Pattern.DOTALL);

    private static final Pattern DELIMITERS = Pattern.compile("[\\s/?&;:@()=,\\[\\]]+");
    /** Shorter parts of the URL are in any message. */
    private static final int MIN_PART = 4;

    /** Returns the URL in the form that the driver requires. */
    String ofDriver() {
        return text.replaceFirst("^jdbc:mysql:", "jdbc:mariadb:");
    }

    /** Returns hosts and schema; the name of the key if they cannot be separated from what is secret. */
    String shown() {
        Matcher plain = PLAIN.matcher(text.strip());
        return plain.matches() ? plain.group(1) : "of sluice.database.url";
    }

    /**
     * Returns the cause of a failure of the driver without what is secret in this URL: its message if the URL is of a known form, or if
     * the message has no part of it.
     */
    String shownIn(Throwable failure) {
        Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
        if (PLAIN.matcher(text.strip()).matches()) {
            return cause.toString().replace(ofDriver(), shown()).replace(text, shown());
        }
        String message = cause.getMessage();
        return cause.getClass().getName() + state(failure) + ": "
                + (message == null || hasPart(message)
                        ? "its message is not shown, since the URL is not of the form jdbc:mysql://host:port/schema?parameters"
                        : message);
    }

    /** Returns the codes of the last failure that has any, such as 28000 and 1045 if the access is denied. */
    private static String state(Throwable failure) {
        String state = "";
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SQLException sql && sql.getSQLState() != null) {
                state = " (SQLState %s, error %d)".formatted(sql.getSQLState(), sql.getErrorCode());
            }
        }
        return state;
    }

    private boolean hasPart(String message) {
        return Stream.concat(parts(text), parts(decoded())).anyMatch(message::contains);
    }

    private static Stream<String> parts(String text) {
        return DELIMITERS.splitAsStream(text).filter(part -> part.length() >= MIN_PART);
    }

    private String decoded() {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
