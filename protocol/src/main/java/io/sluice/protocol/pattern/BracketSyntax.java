package io.sluice.protocol.pattern;

import java.util.Map;

/** Translates one set of characters in brackets, as {@link PatternSyntax} does the rest. */
final class BracketSyntax {
    private static final Map<String, String> NAMED = Map.ofEntries(
            Map.entry("alnum", "\\p{javaLetterOrDigit}"),
            Map.entry("alpha", "\\p{javaLetter}"),
            Map.entry("ascii", "\\p{ASCII}"),
            Map.entry("blank", "\\p{Blank}"),
            Map.entry("cntrl", "\\p{Cntrl}"),
            Map.entry("digit", "\\p{javaDigit}"),
            Map.entry("graph", "\\p{Graph}"),
            Map.entry("lower", "\\p{javaLowerCase}"),
            Map.entry("print", "\\p{Print}"),
            Map.entry("punct", "\\p{Punct}"),
            Map.entry("space", "\\p{javaWhitespace}"),
            Map.entry("upper", "\\p{javaLowerCase}"), // names are in lower case
            Map.entry("word", "\\p{javaLetterOrDigit}_"),
            Map.entry("xdigit", "\\p{XDigit}"));

    private final String text;
    private final int start;
    private final int limit;
    private final StringBuilder out = new StringBuilder("[");
    private int at;

    /** The character just read; -1 if a set of several was, which ends no range, and a dash after it is a dash. */
    private int single;

    /**
     * Makes a translator.
     *
     * @param start where the bracket is
     * @param limit where the text ends, exclusive
     */
    BracketSyntax(String text, int start, int limit) {
        this.text = text;
        this.start = start;
        this.limit = limit;
    }

    /**
     * Translates it.
     *
     * @throws MarkedSyntaxException if it is never closed, or has a range that is none
     */
    String translate() {
        at = start + 1;
        if (at < limit && text.charAt(at) == '^') {
            out.append('^');
            at++;
        }
        boolean first = true;
        while (true) {
            if (at >= limit) {
                throw new MarkedSyntaxException(text, start, "this '[' is never closed");
            }
            if (text.charAt(at) == ']' && !first) {
                at++;
                return out.append(']').toString();
            }
            first = false;
            element();
        }
    }

    /** Where the rest of the text starts. */
    int end() {
        return at;
    }

    private void element() {
        int from = at;
        String set = one();
        int low = single;
        boolean range = low >= 0 && at + 1 < limit && text.charAt(at) == '-' && text.charAt(at + 1) != ']';
        if (!range) {
            out.append(set);
            return;
        }
        at++;
        one();
        if (single < low) {
            throw new MarkedSyntaxException(text, from, "this range has no proper start and end");
        }
        range(low, single);
    }

    /** A character, or the set that an escape or a name denotes. */
    private String one() {
        char c = text.charAt(at);
        single = -1;
        if (c == '[' && text.startsWith("[:", at)) {
            int close = text.indexOf(":]", at + 2);
            String named = close < 0 || close >= limit ? null : NAMED.get(text.substring(at + 2, close));
            if (named != null) {
                at = close + 2;
                return named;
            }
        }
        if (c != '\\' || at + 1 >= limit) {
            at++;
            single = c;
            return CharacterEscape.literal(c);
        }
        String set = SetEscape.inBrackets(text.charAt(at + 1));
        if (set != null) {
            at += 2;
            return set;
        }
        CharacterEscape escape = CharacterEscape.read(text, at, limit);
        single = text.charAt(at + 1) == 'b' ? '\b' : escape.value();
        at = escape.end();
        return CharacterEscape.literal(single);
    }

    /** A range, with the lower case of what is in it. */
    private void range(int low, int high) {
        out.append("\\x{%x}-\\x{%x}".formatted(low, high));
        int from = -1;
        int last = -1;
        MatchBudget.spend(high - low);
        for (int c = low; c <= high; c++) {
            int folded = Character.toLowerCase(c);
            boolean outside = folded < low || folded > high;
            if (outside && folded == last + 1) {
                last = folded;
            } else if (outside) {
                closeRun(from, last);
                from = folded;
                last = folded;
            }
        }
        closeRun(from, last);
    }

    private void closeRun(int from, int last) {
        if (from >= 0) {
            out.append("\\x{%x}-\\x{%x}".formatted(from, last));
        }
    }
}
