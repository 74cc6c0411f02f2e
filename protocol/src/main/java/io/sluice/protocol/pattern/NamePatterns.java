package io.sluice.protocol.pattern;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A list of regular expressions for names in lower case, read and matched as canal does it.
 *
 * <p>The list is split at commas that stand in no bracket and behind no backslash; blanks count. The parts, longest first,
 * become one expression: {@code ^part$|^part$}. The first way in which it matches at the start of a name must reach the
 * name's end. So within one part {@code foo|foot} does not match {@code foot}: {@code foo} is found first. Immutable.
 */
public final class NamePatterns {
    private final List<Part> parts;
    private final Pattern joined;

    /**
     * One of the expressions.
     *
     * @param text as written
     * @param alone the expression by itself
     */
    public record Part(String text, Pattern alone) {
        /** Whether it matches a name by itself. */
        public boolean matches(String name) {
            return NamePatterns.matches(alone, name);
        }

        /** Whether it has alternatives of which the first that fits is taken, since no parentheses are around them. */
        public boolean hasBareAlternatives() {
            int depth = 0;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '\\') {
                    i++;
                } else if (c == '(' || c == '[') {
                    depth++;
                } else if (c == ')' || c == ']') {
                    depth--;
                } else if (c == '|' && depth == 0) {
                    return true;
                }
            }
            return false;
        }
    }

    private record Range(int from, int to) {
        private int length() {
            return to - from;
        }
    }

    private NamePatterns(List<Part> parts, Pattern joined) {
        this.parts = List.copyOf(parts);
        this.joined = joined;
    }

    /**
     * Reads a list.
     *
     * @throws MarkedSyntaxException if one of its expressions cannot be read
     */
    public static NamePatterns parse(String list) {
        List<Range> ranges = split(list);
        ranges.sort(Comparator.comparingInt(Range::length).reversed());
        PatternSyntax syntax = new PatternSyntax(list);
        List<Part> parts = new ArrayList<>();
        StringBuilder joined = new StringBuilder();
        for (Range range : ranges) {
            String translated = "^" + syntax.translate(range.from, range.to) + "$";
            joined.append(joined.isEmpty() ? "" : "|").append(translated);
            parts.add(new Part(list.substring(range.from, range.to), compile(list, range.from, translated)));
        }
        return new NamePatterns(parts, compile(list, 0, joined.toString()));
    }

    private static Pattern compile(String list, int from, String translated) {
        try {
            return Pattern.compile(translated, Pattern.DOTALL | Pattern.UNIX_LINES);
        } catch (PatternSyntaxException e) {
            throw new MarkedSyntaxException(list, from, e.getDescription());
        }
    }

    public boolean isEmpty() {
        return parts.isEmpty();
    }

    /** The expressions in the order in which they are tried. */
    public List<Part> parts() {
        return parts;
    }

    /**
     * Whether a name in lower case matches.
     *
     * @throws IllegalStateException if that cannot be told in a reasonable time
     */
    public boolean matches(String name) {
        return matches(joined, name);
    }

    /** The expression that matches a name, as written; null if none does by itself. */
    public @Nullable String partFor(String name) {
        for (Part part : parts) {
            if (part.matches(name)) {
                return part.text;
            }
        }
        return null;
    }

    private static boolean matches(Pattern pattern, String name) {
        Matcher matcher = pattern.matcher(new BoundedText(name));
        try {
            return matcher.lookingAt() && matcher.end() == name.length();
        } catch (BoundedText.ExhaustedException | StackOverflowError e) {
            throw new IllegalStateException(
                    ("it cannot be told in a reasonable time whether %s matches %s: many repetitions of the same, as in"
                                    + " .*.*.* or (a+)+, take a time that grows without bounds; write it with fewer")
                            .formatted(name, pattern),
                    e);
        }
    }

    private static List<Range> split(String list) {
        List<Range> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i <= list.length(); i++) {
            char c = i < list.length() ? list.charAt(i) : ',';
            if (i == list.length() || c == ',' && depth == 0) {
                if (i > start) {
                    parts.add(new Range(start, i));
                }
                start = i + 1;
            } else if (c == '\\') {
                i += i + 1 < list.length() ? 1 : 0;
            } else if (c == '(' || c == '[' || c == '{') {
                depth++;
            } else if ((c == ')' || c == ']' || c == '}') && depth > 0) {
                depth--;
            }
        }
        return parts;
    }
}
