package io.sluice.mysql.wire;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version that a server names in its greeting.
 *
 * @param text the server's own words, such as {@code 8.0.31} or {@code 5.5.5-10.11.18-MariaDB-log}
 * @param mariaDb whether the server is a MariaDB, whose numbers do not compare with MySQL's
 */
public record ServerVersion(int major, int minor, int patch, String text, boolean mariaDb) {
    /** MariaDB 10 hides its real version behind this one, as old replicas could not read a major of two digits. */
    private static final String MARIADB_DISGUISE = "5.5.5-";

    private static final Pattern NUMBERS = Pattern.compile("^(\\d{1,9})\\.(\\d{1,9})(?:\\.(\\d{1,9}))?");

    /** Reads a version's text. Text that does not start with numbers, as some proxies send, gives version 0.0.0. */
    public static ServerVersion parse(String text) {
        boolean mariaDb = text.toLowerCase(Locale.ROOT).contains("mariadb");
        boolean disguised = mariaDb && text.startsWith(MARIADB_DISGUISE);
        Matcher numbers = NUMBERS.matcher(disguised ? text.substring(MARIADB_DISGUISE.length()) : text);
        if (!numbers.find()) {
            return new ServerVersion(0, 0, 0, text, mariaDb);
        }
        String patch = numbers.group(3);
        return new ServerVersion(
                Integer.parseInt(numbers.group(1)),
                Integer.parseInt(numbers.group(2)),
                patch == null ? 0 : Integer.parseInt(patch),
                text,
                mariaDb);
    }

    /** Whether this version is the given one or newer. Ask {@link #mariaDb()} first where the two products differ. */
    public boolean atLeast(int otherMajor, int otherMinor, int otherPatch) {
        if (major != otherMajor) {
            return major > otherMajor;
        }
        if (minor != otherMinor) {
            return minor > otherMinor;
        }
        return patch >= otherPatch;
    }

    @Override
    public String toString() {
        return text;
    }
}
