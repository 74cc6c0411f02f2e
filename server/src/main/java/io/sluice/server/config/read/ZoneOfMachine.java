package io.sluice.server.config.read;

import io.sluice.server.config.key.ValueKeys;
import io.sluice.server.config.text.Environment;
import java.util.Optional;
import java.util.TimeZone;
import java.util.regex.Pattern;

/**
 * The time zone of this process, in which {@code TIMESTAMP} is written where none is configured.
 *
 * <p>Java takes it from the variable {@code TZ}. Of a text that is no name of a zone it takes the offset that the C library has at this moment.
 * So summer time never begins or ends.
 */
final class ZoneOfMachine {
    private static final String VARIABLE = "TZ";

    /** A rule without summer time, such as {@code CST-8} or {@code <+08>-8}: its offset is right all year. */
    private static final Pattern OFFSET = Pattern.compile("(?:<[^<>]+>|[A-Za-z]{3,})[+-]?\\d{1,3}(?::\\d{1,2}){0,2}");

    private static final String UNKNOWN = "GMT";

    private ZoneOfMachine() {}

    /** What is probably not intended, as a sentence. */
    static Optional<String> doubt(Environment environment) {
        String text = environment.variables().getOrDefault(VARIABLE, "");
        String name = (text.startsWith(":") ? text.substring(1) : text).replaceFirst("^posix/", "");
        String used = environment.systemProperties().getOrDefault("user.timezone", "");
        if (used.isEmpty()) {
            used = TimeZone.getDefault().getID();
        }
        if (name.isEmpty()
                || name.equals("localtime")
                || name.equals(UNKNOWN)
                || !TimeZone.getTimeZone(name).getID().equals(UNKNOWN)
                || OFFSET.matcher(name).matches()
                || !used.startsWith(UNKNOWN)) { // an option of Java's has set another
            return Optional.empty();
        }
        return Optional.of(
                ("the variable %s is '%s', which is no time zone of Java's: TIMESTAMP is written as of %s all year; set %s to a name,"
                                + " such as Asia/Shanghai, or %s")
                        .formatted(VARIABLE, text, used, VARIABLE, ValueKeys.TIME_ZONE.name()));
    }
}
