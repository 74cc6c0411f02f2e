package io.sluice.server.config.text;

import java.util.ArrayList;
import java.util.List;

/** Finds the names in the placeholders of a value as it is written, in time in proportion to its length. */
public final class PlaceholderNames {
    private PlaceholderNames() {}

    /** Returns those of {@code ${name}} and {@code ${name:fallback}}, without the blanks around them, in order. */
    public static List<String> of(String raw) {
        return endingWith(raw, ":}");
    }

    /** Returns those of {@code ${name}}, without the blanks around them, in order. */
    public static List<String> withoutFallback(String raw) {
        return endingWith(raw, "}");
    }

    private static List<String> endingWith(String raw, String ends) {
        List<String> names = new ArrayList<>();
        int start = raw.indexOf("${");
        while (start >= 0) {
            int end = start + 2;
            while (end < raw.length() && ":}$".indexOf(raw.charAt(end)) < 0) {
                end++;
            }
            String name = raw.substring(start + 2, end).strip();
            if (end < raw.length() && ends.indexOf(raw.charAt(end)) >= 0 && !name.isEmpty()) {
                names.add(name);
            }
            start = raw.indexOf("${", end);
        }
        return names;
    }
}
