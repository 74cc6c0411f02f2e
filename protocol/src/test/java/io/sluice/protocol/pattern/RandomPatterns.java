package io.sluice.protocol.pattern;

import java.util.Locale;
import java.util.Random;

/** Makes expressions that backtrack a lot, and names on which they do. */
final class RandomPatterns {
    private static final String[] ATOMS = {
        "a",
        "b",
        "_",
        "\\.",
        "ab",
        "aba",
        "a_",
        "1",
        ".",
        ".",
        "\\w",
        "\\w",
        "\\d",
        "\\s",
        "\\W",
        "[ab]",
        "[^a]",
        "[a-z_]",
        "[^.]",
        "表",
        "é",
        "[[:alpha:]]",
        "-"
    };
    private static final String[] REPETITIONS = {
        "*", "*", "+", "+", "?", "*?", "+?", "??", "{2}", "{0,3}", "{1,}", "{3,}?", "*+", "{0,9}", "{0}"
    };
    private static final String[] PLACES = {
        "^", "$", "\\b", "\\B", "\\A", "\\Z", "(?=a)", "(?!.*b)", "(?<=a)", "(?<!ab)", "(?=(a|ab)*)"
    };
    private static final String[] UNITS = {
        "a", "b", "_", ".", "1", "ab", "aba", "a_", "é", "表", "-", "a1", " ", "İ", "ab_1."
    };

    private final Random random;

    RandomPatterns(Random random) {
        this.random = random;
    }

    /** Some expressions, separated by commas. */
    String list() {
        StringBuilder list = new StringBuilder(expression());
        while (random.nextInt(4) == 0) {
            list.append(',').append(expression());
        }
        return list.toString();
    }

    private String expression() {
        return alternatives(2);
    }

    private String alternatives(int depth) {
        StringBuilder text = new StringBuilder(sequence(depth));
        while (random.nextInt(4) == 0) {
            text.append('|').append(sequence(depth));
        }
        return text.toString();
    }

    private String sequence(int depth) {
        StringBuilder text = new StringBuilder();
        int items = 1 + random.nextInt(6);
        for (int i = 0; i < items; i++) {
            if (random.nextInt(8) == 0) {
                text.append(one(PLACES));
                continue;
            }
            if (depth > 0 && random.nextInt(5) == 0) {
                text.append(random.nextInt(3) == 0 ? "(?:" : random.nextInt(6) == 0 ? "(?>" : "(")
                        .append(alternatives(depth - 1))
                        .append(')');
            } else {
                text.append(one(ATOMS));
            }
            text.append(random.nextInt(2) == 0 ? one(REPETITIONS) : "");
        }
        return text.toString();
    }

    /** A name in lower case of up to so many characters. */
    String name(int longest) {
        StringBuilder name = new StringBuilder();
        int length = random.nextInt(3) == 0 ? random.nextInt(longest + 1) : longest;
        while (name.length() < length) {
            name.append(one(UNITS).repeat(1 + random.nextInt(random.nextBoolean() ? 3 : longest)));
        }
        String lower = name.toString().toLowerCase(Locale.ROOT);
        return lower.substring(0, length);
    }

    private String one(String[] among) {
        return among[random.nextInt(among.length)];
    }
}
