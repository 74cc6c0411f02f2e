package io.sluice.server.alarm;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Alarms that are posted together.
 *
 * @param server what this server is called
 * @param time when the message was made
 * @param dropped how many alarms were dropped before these, since too many waited
 */
record AlarmMessage(String server, Instant time, long dropped, List<Alarm> alarms) {
    private static final int LONGEST_WHAT = 400;
    private static final int LONGEST_REMEDY = 500;
    private static final int LONGEST_NAME = 100;

    AlarmMessage {
        alarms = List.copyOf(alarms);
    }

    /** The first line of a text; begins with {@code Sluice}, for robots that require a keyword. */
    String title() {
        return "Sluice on %s: %s"
                .formatted(clean(server, LONGEST_NAME), alarms.size() == 1 ? "an alarm" : alarms.size() + " alarms");
    }

    /** The other lines of a text: one for each alarm, without control characters. */
    List<String> lines() {
        List<String> lines =
                new ArrayList<>(alarms.stream().map(AlarmMessage::line).toList());
        if (dropped > 0) {
            lines.add(dropped + " alarms before these were dropped, since the web hook did not take them in time");
        }
        return lines;
    }

    private static String line(Alarm alarm) {
        StringBuilder line = new StringBuilder()
                .append('[')
                .append(alarm.phase().spelling())
                .append("] ")
                .append(name(alarm))
                .append(": ")
                .append(alarm.kind().title());
        if (alarm.kind() == AlarmKind.TEST) {
            return line.append(". Nothing is wrong.").toString();
        }
        line.append(", since ").append(alarm.since().truncatedTo(ChronoUnit.SECONDS));
        if (alarm.phase() == Alarm.Phase.RECOVERED) {
            return line.append("; it is over after ")
                    .append(alarm.lasting().toSeconds())
                    .append(" s: ")
                    .append(what(alarm))
                    .toString();
        }
        line.append(" (").append(alarm.lasting().toSeconds()).append(" s");
        if (alarm.occurrences() > 1) {
            line.append(", the ").append(alarm.occurrences()).append("th time since the last alarm");
        }
        line.append(')');
        if (!alarm.what().isBlank()) {
            line.append(". ").append(what(alarm));
        }
        return line.append(". What to do: ").append(remedy(alarm)).toString();
    }

    /** How an alarm names the instance in texts. */
    static String name(Alarm alarm) {
        return alarm.destination().isEmpty() ? "the server" : "instance " + clean(alarm.destination(), LONGEST_NAME);
    }

    /** What is wrong, or why it is over, as it may be sent. */
    static String what(Alarm alarm) {
        return clean(alarm.what(), LONGEST_WHAT);
    }

    /** What to do, as it may be sent. */
    static String remedy(Alarm alarm) {
        return clean(alarm.remedy(), LONGEST_REMEDY);
    }

    /** In one line, without control characters and halves of characters, and not longer than it may be. */
    private static String clean(String text, int longest) {
        StringBuilder clean = new StringBuilder();
        text.codePoints()
                .map(c -> Character.isISOControl(c)
                                || Character.getType(c) == Character.FORMAT
                                || Character.getType(c) == Character.SURROGATE
                                || Character.getType(c) == Character.LINE_SEPARATOR
                                || Character.getType(c) == Character.PARAGRAPH_SEPARATOR
                        ? ' '
                        : c)
                .limit(longest)
                .forEach(clean::appendCodePoint);
        if (text.codePointCount(0, text.length()) > longest) {
            clean.append('…');
        }
        return clean.toString().strip();
    }
}
