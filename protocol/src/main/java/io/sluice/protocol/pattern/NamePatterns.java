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
    private static final int MAX_SHOWN = 200;

    /** How much is spent, in matches that take as long as they may, on finding the expression that is too expensive. */
    private static final long MAX_SEARCH = 4L * MatchBudget.MAX_LOOKS;

    /** What reading one of the expressions costs, besides its characters; with their memory, so that a budget has not too many. */
    private static final int LOOKS_TO_READ = 2_000;

    private final List<Part> parts;
    private final Matching joined;
    private final List<Shape> shapes;

    /**
     * One of the expressions.
     *
     * @param text as written
     * @param alone matches the expression by itself
     */
    public record Part(String text, Matching alone) {
        /** What after a backslash matches no dot: sets of characters, places, and characters of names. */
        private static final String ESCAPES_WITHOUT_DOT = "wdsbAzZ$_-";

        /** Whether it matches a name by itself. */
        public boolean matches(String name) {
            try {
                return alone.matches(new BoundedText(name, alone.limit()));
            } catch (BoundedText.ExhaustedException | StackOverflowError e) {
                throw tooExpensive(name, text, e);
            }
        }

        /** Whether it certainly matches no name that has a dot; also false where that takes more than a look at each character. */
        public boolean matchesNoDot() {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '.' || c == '[') {
                    return false;
                }
                if (c == '\\') {
                    i++;
                    if (i == text.length() || ESCAPES_WITHOUT_DOT.indexOf(text.charAt(i)) < 0) {
                        return false;
                    }
                }
            }
            return true;
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

    /**
     * A translated expression, and what a match of it may cost.
     *
     * @param rounds how many rounds of repetitions the matcher makes at most for each look at a character
     */
    record Matching(Pattern pattern, double rounds) {
        /**
         * How often a match may look at a character of the name.
         *
         * @throws MatchBudget.UsedUpException if nothing is left for it
         */
        private int limit() {
            double allowed = MatchBudget.MAX_LOOKS / rounds;
            double left = MatchBudget.left() / rounds;
            if (left < Math.min(allowed, 1)) {
                throw new MatchBudget.UsedUpException(null);
            }
            return (int) Math.min(allowed, left);
        }

        /** Throws what {@link BoundedText} throws, or a {@link StackOverflowError}, if it takes too long. */
        private boolean matches(BoundedText name) {
            if (rounds > MatchBudget.MAX_LOOKS) {
                throw new BoundedText.ExhaustedException(); // it would not end, and perhaps look at no character
            }
            try {
                Matcher matcher = pattern.matcher(name);
                return matcher.lookingAt() && matcher.end() == name.length();
            } finally {
                MatchBudget.spend((name.looks() + 1.0) * rounds);
            }
        }
    }

    private record Range(int from, int to) {
        private int length() {
            return to - from;
        }
    }

    private NamePatterns(List<Part> parts, Matching joined, List<Shape> shapes) {
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
        MatchBudget.spend(list.length());
        return MatchBudget.once(NamePatterns.class, "", list, () -> read(list));
    }

    private static NamePatterns read(String list) {
        List<Range> ranges = split(list);
        ranges.sort(Comparator.comparingInt(Range::length).reversed());
        PatternSyntax syntax = new PatternSyntax(list);
        List<Part> parts = new ArrayList<>();
        List<Shape> shapes = new ArrayList<>();
        StringBuilder joined = new StringBuilder();
        double rounds = 1;
        for (Range range : ranges) {
            MatchBudget.spend(LOOKS_TO_READ + range.length());
            String translated = "^" + syntax.translate(range.from, range.to) + "$";
            joined.append(joined.isEmpty() ? "" : "|").append(translated);
            Shape shape = syntax.shape();
            double own = IdleRounds.of(shape);
            rounds = Math.max(rounds, own);
            parts.add(new Part(
                    list.substring(range.from, range.to), new Matching(compile(list, range.from, translated), own)));
            shapes.add(shape);
        }
        return new NamePatterns(parts, new Matching(compile(list, 0, joined.toString()), rounds), shapes);
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
     * @throws ExpensivePatternException if that cannot be decided with {@link MatchBudget#MAX_LOOKS}, or with what is left of a
     *     {@link MatchBudget}
     */
    public boolean matches(String name) {
        return matches(new BoundedText(name, joined.limit()));
    }

    /**
     * How often a match of a name in lower case looks at a character.
     *
     * @throws ExpensivePatternException if that is more than {@code limit}
     */
    int looks(String name, int limit) {
        BoundedText text = new BoundedText(name, Math.min(limit, joined.limit()));
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
            return joined.matches(name);
        } catch (BoundedText.ExhaustedException | StackOverflowError e) {
            throw tooExpensive(name.toString(), expensivePart(name.toString()), e);
        }
    }

    /** The expression that a name is too expensive for; the whole list if it is none of them, or that takes too long to find. */
    private String expensivePart(String name) {
        double spent = 0;
        for (Part part : parts) {
            BoundedText text = new BoundedText(name, part.alone.limit());
            try {
                part.alone.matches(text);
            } catch (BoundedText.ExhaustedException | StackOverflowError e) {
                return part.text;
            }
            spent += text.looks() * part.alone.rounds;
            if (spent > MAX_SEARCH) {
                break;
            }
        }
        return String.join(",", parts.stream().map(Part::text).toList());
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
