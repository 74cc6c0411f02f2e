package io.sluice.admin.fleet.action;

import java.util.Locale;

/** Makes sentences of messages. */
public final class Sentences {
    private Sentences() {}

    /** A message that begins with a capital letter and ends with a full stop. */
    public static String of(String message) {
        String text = message.strip();
        if (text.isEmpty()) {
            return "It has failed.";
        }
        boolean isUrl = text.startsWith("http");
        String begun = isUrl ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
        return ".!?".indexOf(begun.charAt(begun.length() - 1)) >= 0 ? begun : begun + ".";
    }
}
