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
 * <p>The list is split at commas that are in no bracket and after no backslash; blanks count. The parts, longest first,
 * become one expression: {@code ^part$|^part$}. The first way in which it matches at the start of a name must reach the
 * name's end. So within one part {@code foo|foot} does not match {@code foot}: {@code foo} is found first. Immutable.
 */
public final class NamePatterns {
    /**
     * How often a match may look at a character of the name: about a tenth of a second. Thousands of plain expressions in one
     * list need a hundredth of it.
     */
    public static final int MAX_LOOKS = 20_000_000;

    private static final int MAX_SHOWN = 200;

    private final List<Part> parts;
    private final Pattern joined;
    private final List<Shape> shapes;

    /**
     * One of the expressions.
     *
     * @param text as written
     * @param alone the expression by itself
     */
    public record Part(String text, Pattern alone) {
        /** Whether it matches a name by itself. */
        public boolean matches(String name) {
            try {
                return NamePatterns.matches(alone, new BoundedText(name, MAX_LOOKS));
            } catch (BoundedText.ExhaustedException | StackOverflowError e) {
                throw tooExpensive(name, text, e);
            }
        }

        private boolean isTooExpensive(String name) {
            try {
                matches(name);
                return false;
            } catch (ExpensivePatternException e) {
                return true;
            }
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

    private NamePatterns(List<Part> parts, Pattern joined, List<Shape> shapes) {
        this.parts = List.copyOf(parts);
        this.joined = joined;
        this.shapes = List.copyOf(shapes);
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
        List<Shape> shapes = new ArrayList<>();
        StringBuilder joined = new StringBuilder();
        for (Range range : ranges) {
            String translated = "^" + syntax.translate(range.from, range.to) + "$";
            joined.append(joined.isEmpty() ? "" : "|").append(translated);
            parts.add(new Part(list.substring(range.from, range.to), compile(list, range.from, translated)));
            shapes.add(syntax.shape());
        }
        return new NamePatterns(parts, compile(list, 0, joined.toString()), shapes);
    }

    private static Pattern compile(String list, int from, String translated) {
        try {
            return Pattern.compile(translated, Pattern.DOTALL | Pattern.UNIX_LINES);
        } catch (PatternSyntaxException e) {
            throw new MarkedSyntaxException(list, from, e.getDescription());
        } catch (StackOverflowError e) {
            throw new MarkedSyntaxException(list, from, "this expression is too long or too deeply nested");
        }
    }

    public boolean isEmpty() {
        return parts.isEmpty();
    }

    /** The expressions in the order in which they are tried. */
    public List<Part> parts() {
        return parts;
    }

    /** The structures of the expressions, in the order of {@link #parts}. */
    List<Shape> shapes() {
        return shapes;
    }

    /**
     * Whether a name in lower case matches.
     *
     * @throws ExpensivePatternException if that cannot be decided with {@link #MAX_LOOKS}
     */
    public boolean matches(String name) {
        return matches(new BoundedText(name, MAX_LOOKS));
    }

    /**
     * How often a match of a name in lower case looks at a character.
     *
     * @throws ExpensivePatternException if that is more than {@code limit}
     */
    int looks(String name, int limit) {
        BoundedText text = new BoundedText(name, limit);
        matches(text);
        return text.looks();
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

    private boolean matches(BoundedText name) {
        try {
            return matches(joined, name);
        } catch (BoundedText.ExhaustedException | StackOverflowError e) {
            String list = String.join(",", parts.stream().map(Part::text).toList());
            throw tooExpensive(
                    name.toString(),
                    parts.stream()
                            .filter(part -> part.isTooExpensive(name.toString()))
                            .findFirst()
                            .map(Part::text)
                            .orElse(list),
                    e);
        }
    }

    /** Throws what {@link BoundedText} throws, or a {@link StackOverflowError}, if it takes too long. */
    private static boolean matches(Pattern pattern, BoundedText name) {
        Matcher matcher = pattern.matcher(name);
        return matcher.lookingAt() && matcher.end() == name.length();
    }

    private static ExpensivePatternException tooExpensive(String name, String expressions, Throwable cause) {
        String shown = expressions.length() <= MAX_SHOWN ? expressions : expressions.substring(0, MAX_SHOWN) + "...";
        return new ExpensivePatternException(
                ("it cannot be decided in a reasonable time whether %s matches %s: the time for many repetitions, as in .*.*.*"
                                + " or (a+)+, grows without bounds; write it with fewer")
                        .formatted(name, shown),
                cause);
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
