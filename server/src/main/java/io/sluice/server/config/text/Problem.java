package io.sluice.server.config.text;

import java.util.List;

/**
 * One thing that is wrong with the configuration.
 *
 * @param origin where it is
 * @param key the key it is about; empty if it is about a file as a whole
 * @param value what is set, masked if it is secret; empty if nothing is
 * @param complaint what is wrong, and what is allowed
 */
public record Problem(Origin origin, String key, String value, String complaint) {
    private static final int MAX_VALUE = 200;

    /** One sentence with all of this; of a long value the beginning, so that the complaint is near the start. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(origin.toString()).append(": ");
        if (!key.isEmpty()) {
            text.append(key);
            if (!value.isEmpty()) {
                text.append(" = ").append(shortValue());
            }
            text.append(": ");
        }
        return text.append(complaint).toString();
    }

    /** The sentences of several. */
    public static List<String> texts(List<Problem> problems) {
        return problems.stream().map(Problem::toString).toList();
    }

    /** The beginning of the value, if it is long: whole ones would be many times the text that they are from. */
    public String shortValue() {
        if (value.length() <= MAX_VALUE) {
            return value;
        }
        int end = Character.isHighSurrogate(value.charAt(MAX_VALUE - 1)) ? MAX_VALUE - 1 : MAX_VALUE;
        return value.substring(0, end) + "…";
    }
}
