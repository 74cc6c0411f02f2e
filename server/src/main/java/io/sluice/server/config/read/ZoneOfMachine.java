package io.sluice.server.config.read;

import io.sluice.server.config.key.ValueKeys;
import io.sluice.server.config.text.Environment;
import java.util.Optional;
import java.util.TimeZone;
import java.util.regex.Pattern;

/**
 * The time zone of this process, in which {@code TIMESTAMP} is written where none is configured.
 *
 * <p>Java takes it from the option {@code -Duser.timezone}, else from the variable {@code TZ}. Of a variable that is no name of a zone it takes the
 * offset that the C library has at this moment, so that summer time never begins or ends; of such an option it takes GMT.
 */
final class ZoneOfMachine {
    private static final String VARIABLE = "TZ";
    private static final String PROPERTY = "user.timezone";
    private static final String OPTION = "-D" + PROPERTY + "=";

    /** A rule without summer time, such as {@code CST-8} or {@code <+08>-8}: its offset is right all year. */
    private static final Pattern OFFSET = Pattern.compile("(?:<[^<>]+>|[A-Za-z]{3,})[+-]?\\d{1,3}(?::\\d{1,2}){0,2}");

    private static final Pattern NO_OFFSET = Pattern.compile("(?i)(?:GMT|UTC|UCT)(?:[+-]?0{1,2}(?::?00)*)?");

    /** POSIX counts it to the west, and Java {@code GMT+8}, as most people, to the east. */
    private static final Pattern EITHER_SIGN = Pattern.compile("(?i)(?:GMT|UTC|UCT)[+-]?\\d.*");

    private static final String UNKNOWN = "GMT";

    private ZoneOfMachine() {}

    /** What is probably not intended, as a sentence. */
    static Optional<String> doubt(Environment environment) {
        String option = environment.options().stream()
                .filter(given -> given.startsWith(OPTION))
                .reduce("", (first, later) -> later.substring(OPTION.length()));
        return option.isEmpty() ? doubtOfVariable(environment) : doubtOfOption(option);
    }

    private static Optional<String> doubtOfOption(String option) {
        if (NO_OFFSET.matcher(option).matches() || isKnown(option)) {
            return Optional.empty();
        }
        return Optional.of(sentence(OPTION + option + " (JAVA_OPTS)", "no time zone of Java's", "GMT", "it"));
    }

    private static Optional<String> doubtOfVariable(Environment environment) {
        String text = environment.variables().getOrDefault(VARIABLE, "");
        String name = (text.startsWith(":") ? text.substring(1) : text).replaceFirst("^posix/", "");
        if (name.isEmpty() || NO_OFFSET.matcher(name).matches()) {
            return Optional.empty();
        }
        String used = environment.systemProperties().getOrDefault(PROPERTY, "");
        if (used.isEmpty()) {
            used = TimeZone.getDefault().getID();
        }
        String subject = "the variable %s is '%s', which".formatted(VARIABLE, text);
        if (EITHER_SIGN.matcher(name).matches()) {
            return Optional.of(
                    sentence(subject, "east of Greenwich for some programs and west of it for others", used, VARIABLE));
        }
        if (isKnown(name) || OFFSET.matcher(name).matches() || !used.startsWith(UNKNOWN)) { // Java has found a name
            return Optional.empty();
        }
        return Optional.of(sentence(subject, "no time zone of Java's", used + " all year", VARIABLE));
    }

    private static boolean isKnown(String name) {
        return !TimeZone.getTimeZone(name).getID().equals(UNKNOWN);
    }

    private static String sentence(String subject, String what, String used, String remedy) {
        return "%s is %s: TIMESTAMP is written as of %s; set %s to a name, such as Asia/Shanghai, or %s"
                .formatted(subject, what, used, remedy, ValueKeys.TIME_ZONE.name());
    }
}
