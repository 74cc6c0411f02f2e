package io.sluice.server.config.text;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Fills in the placeholders of one value, <code>${name}</code> or <code>${name:rest}</code>, and records whether something secret
 * came into it. What a file or a variable holds is taken as it is; placeholders in it are not filled in. For one value and one thread.
 */
final class Filling {
    /** Finds what placeholders stand for that name neither a file nor a variable. */
    interface Names {
        /** Whether a placeholder is not ours to fill in, and stays as it is written. */
        boolean keeps(String inside);

        /** Whether there is a key of that name, which then is meant, and not a file or a variable. */
        boolean hasKey(String name);

        /**
         * Finds what a placeholder stands for.
         *
         * @param fallback what is written after the colon, filled in when it is asked for; null without a colon
         * @return null to leave the placeholder as it is written
         */
        @Nullable String valueOf(String name, @Nullable Supplier<String> fallback);
    }

    /** Far more than a value has, and few enough that placeholders which multiply do no harm. */
    private static final int MAX_PLACEHOLDERS = 1_000;

    private static final int MAX_LENGTH = 1 << 20;

    private final OutsideValues outside;
    private final Origin origin;
    private final String key;
    private boolean secret;
    private int placeholders;
    private long filledIn;

    /**
     * Creates it for a value.
     *
     * @param origin where it is written
     * @param key whose value it is
     */
    Filling(OutsideValues outside, Origin origin, String key) {
        this.outside = outside;
        this.origin = origin;
        this.key = key;
    }

    /** Whether what was filled in must not be shown. */
    boolean isSecret() {
        return secret;
    }

    /** Records that what was filled in must not be shown. */
    void markSecret() {
        secret = true;
    }

    /**
     * Fills in a text.
     *
     * @throws PlaceholderException if a placeholder cannot be filled in
     */
    String fill(String text, Names names) {
        StringBuilder filled = new StringBuilder();
        int at = 0;
        while (true) {
            int start = text.indexOf("${", at);
            int end = start < 0 ? -1 : closingBrace(text, start + 2);
            if (end < 0) {
                return filled.append(text, at, text.length()).toString();
            }
            String value = valueOf(text.substring(start + 2, end), names);
            int length = value == null ? 0 : value.length();
            outside.countFilledIn(origin, key, filledIn, length);
            filledIn += length;
            filled.append(text, at, start).append(value == null ? text.substring(start, end + 1) : value);
            if (filled.length() > MAX_LENGTH) {
                throw new PlaceholderException(
                        "its placeholders stand for more than %d characters".formatted(MAX_LENGTH));
            }
            at = end + 1;
        }
    }

    private @Nullable String valueOf(String inside, Names names) {
        if (names.keeps(inside)) {
            return null;
        }
        if (++placeholders > MAX_PLACEHOLDERS) {
            throw new PlaceholderException("more than %d placeholders would be filled in".formatted(MAX_PLACEHOLDERS));
        }
        int colon = colon(inside);
        String name =
                fill(colon < 0 ? inside : inside.substring(0, colon), names).strip();
        String rest = colon < 0 ? null : inside.substring(colon + 1);
        int inner = name.indexOf(':');
        if (inner >= 0) { // a name that was filled in, with a fallback
            String more = rest == null ? "" : ":" + rest;
            return names.valueOf(name.substring(0, inner).strip(), () -> name.substring(inner + 1) + fill(more, names));
        }
        if (rest == null) {
            return names.valueOf(name, null);
        }
        return OutsideValues.isKind(name) && !names.hasKey(name)
                ? outside(name, rest, names)
                : names.valueOf(name, () -> fill(rest, names));
    }

    private String outside(String kind, String rest, Names names) {
        int colon = kind.equals(OutsideValues.VARIABLE) ? colon(rest) : -1;
        String written = (colon < 0 ? rest : rest.substring(0, colon)).strip();
        boolean before = secret;
        secret = false;
        String argument = fill(written, names).strip();
        String shown = secret ? written : argument;
        secret |= before;
        Supplier<String> fallback = colon < 0 ? null : () -> fill(rest.substring(colon + 1), names);
        String value = outside.read(kind, argument, fallback, shown);
        secret = true;
        return value;
    }

    /** The first colon that is not inside of another placeholder; -1 if there is none. */
    private static int colon(String inside) {
        int depth = 0;
        for (int i = 0; i < inside.length(); i++) {
            char c = inside.charAt(i);
            if (inside.startsWith("${", i)) {
                depth++;
            } else if (c == '}') {
                depth = Math.max(0, depth - 1);
            } else if (c == ':' && depth == 0) {
                return i;
            }
        }
        return -1;
    }

    private static int closingBrace(String text, int from) {
        int depth = 1;
        for (int i = from; i < text.length(); i++) {
            if (text.startsWith("${", i)) {
                depth++;
                i++;
            } else if (text.charAt(i) == '}' && --depth == 0) {
                return i;
            }
        }
        return -1;
    }
}
