package io.sluice.admin.database;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The URL of the database, which may have passwords: in its parameters, and before the host in a form that only other drivers accept.
 *
 * @param text as it is in the configuration
 */
record DatabaseUrl(String text) {
    private static final String HOST = "(?:[\\w.-]+|\\[[\\p{XDigit}:.]+])(?::\\d{1,5})?";
    private static final Pattern PLAIN = Pattern.compile(
            "(jdbc:(?:mysql|mariadb):(?:\\w+:)?//" + HOST + "(?:," + HOST + ")*(?:/[^\\s/@:;&=?]*)?)(?:\\?.*)?",
            Pattern.DOTALL);
    private static final String NOT_SHOWN =
            "its URL is not shown, since it is not of the form jdbc:mysql://host:port/schema?parameters";

    /** Returns it as the driver wants it. */
    String ofDriver() {
        return text.replaceFirst("^jdbc:mysql:", "jdbc:mariadb:");
    }

    /** Returns hosts and schema; the name of the key if they cannot be told from what is secret. */
    String shown() {
        Matcher plain = PLAIN.matcher(text.strip());
        return plain.matches() ? plain.group(1) : "of sluice.database.url";
    }

    /** Returns an error text of the driver without what is secret in this URL. */
    String shownIn(String error) {
        return PLAIN.matcher(text.strip()).matches()
                ? error.replace(ofDriver(), shown()).replace(text, shown())
                : NOT_SHOWN;
    }
}
