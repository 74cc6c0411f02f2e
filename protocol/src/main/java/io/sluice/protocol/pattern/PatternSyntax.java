package io.sluice.protocol.pattern;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Translates regular expressions of canal's dialect, which is that of Perl 5.003, to Java's.
 *
 * <p>Where both give a sign a meaning, canal's holds: a brace that is no repetition is a brace, {@code \w}, {@code \d} and
 * {@code \s} know all letters, {@code \p} is a {@code p}, and there are no brackets within brackets. What canal's dialect
 * does not have, and fails on (look-behind, named and atomic groups, possessive repetition), is passed on to Java.
 * The result is for names in lower case: literals are folded to it.
 *
 * <p>One translator is for one list, whose parts are one expression to canal: groups are counted through, and the modifier
 * {@code (?x)} holds to the end.
 */
final class PatternSyntax {
    /** Java's matcher and compiler call themselves for each parenthesis within another. */
    private static final int MAX_DEPTH = 250;

    private final String list;
    private final StringBuilder out = new StringBuilder();
    private int groups;
    private boolean extended;

    /** What follows a repetition sign. */
    private enum Before {
        /** Nothing that could be repeated. */
        NOTHING,
        /** Something that can be. */
        ATOM,
        /** A repetition. */
        REPETITION
    }

    private int at;
    private int end;
    private Before before = Before.NOTHING;
    private ShapeBuilder shape = new ShapeBuilder();

    /**
     * Makes a translator.
     *
     * @param list what its parts are in
     */
    PatternSyntax(String list) {
        this.list = list;
    }

    /**
     * Translates one part.
     *
     * @param from where it starts in the list
     * @param to where it ends, exclusive
     * @throws MarkedSyntaxException if it cannot be read
     */
    String translate(int from, int to) {
        out.setLength(0);
        at = from;
        end = to;
        before = Before.ATOM; // the anchor in front of each part
        shape = new ShapeBuilder();
        Deque<Integer> open = new ArrayDeque<>();
        while (at < end) {
            char c = list.charAt(at);
            switch (c) {
                case '(' -> {
                    int start = at;
                    if (openGroup()) {
                        open.push(start);
                        if (open.size() > MAX_DEPTH) {
                            throw error(at, "more than " + MAX_DEPTH + " parentheses are within each other");
                        }
                        before = Before.NOTHING;
                    }
                }
                case ')' -> {
                    if (open.isEmpty()) {
                        throw error(at, "this ')' closes nothing");
                    }
                    open.pop();
                    at++;
                    shape.close();
                    put(")", Before.ATOM);
                }
                case '|' -> {
                    at++;
                    shape.or();
                    put("|", Before.NOTHING);
                }
                case '*' -> repetition(1, 0, Shape.UNBOUNDED);
                case '+' -> repetition(1, 1, Shape.UNBOUNDED);
                case '?' -> repetition(1, 0, 1);
                case '{' -> brace();
                case '[' -> {
                    BracketSyntax brackets = new BracketSyntax(list, at, end);
                    putSet(brackets.translate());
                    at = brackets.end();
                }
                case '\\' -> escape();
                case '.' -> {
                    at++;
                    putSet(Shape.OneOf.ANY);
                }
                case '^', '$' -> {
                    at++;
                    putPlace(Character.toString(c), 1, c == '$');
                }
                default -> plain(c);
            }
        }
        if (!open.isEmpty()) {
            throw error(open.peek(), "this '(' is never closed");
        }
        return out.toString();
    }

    private void put(String text, Before now) {
        out.append(text);
        before = now;
    }

    private void putLiteral(int c) {
        shape.text(Character.toLowerCase(c));
        put(CharacterEscape.literal(c), Before.ATOM);
    }

    private void putSet(String set) {
        shape.oneOf(set);
        put(set, Before.ATOM);
    }

    private void putPlace(String text, int looks, boolean atEnd) {
        shape.place(looks, atEnd);
        put(text, Before.ATOM);
    }

    /** The structure of the part that was translated last. */
    Shape shape() {
        return shape.build();
    }

    private MarkedSyntaxException error(int index, String what) {
        return new MarkedSyntaxException(list, index, what);
    }

    private void plain(char c) {
        at++;
        if (extended && Character.isWhitespace(c)) {
            return;
        }
        if (extended && c == '#') {
            int line = list.indexOf('\n', at);
            at = line < 0 || line > end ? end : line;
            return;
        }
        putLiteral(c);
    }

    /** Reads what opens a group, or a comment or modifiers; false if no group is open after it. */
    private boolean openGroup() {
        if (!list.startsWith("(?", at)) {
            groups++;
            at++;
            shape.open(ShapeBuilder.Group.PLAIN);
            out.append('(');
            return true;
        }
        if (list.startsWith("(?#", at)) {
            at = closing("this comment is never closed") + 1;
            return false;
        }
        int sign = at + 2;
        while (sign < end && (Character.isLetter(list.charAt(sign)) || list.charAt(sign) == '-')) {
            sign++;
        }
        if (sign < end && list.charAt(sign) == ')') {
            // Names are in lower case and of one line, so that of all modifiers only one matters.
            extended |= list.substring(at + 2, sign).indexOf('x') >= 0;
            at = sign + 1;
            return false;
        }
        return openSpecialGroup(sign);
    }

    private boolean openSpecialGroup(int sign) {
        char kind = at + 2 < end ? list.charAt(at + 2) : ')';
        ShapeBuilder.Group group = ShapeBuilder.Group.PLAIN;
        int length;
        if (kind == ':' || kind == '>') {
            length = 3;
        } else if (kind == '=' || kind == '!') {
            group = ShapeBuilder.Group.LOOK_AHEAD;
            length = 3;
        } else if (list.startsWith("(?<=", at) || list.startsWith("(?<!", at)) {
            group = ShapeBuilder.Group.LOOK_BEHIND;
            length = 4;
        } else if (kind == '<') {
            int close = list.indexOf('>', at);
            if (close < 0 || close >= end || !list.substring(at + 3, close).matches("[a-zA-Z][a-zA-Z0-9]*")) {
                throw error(at, "this group has no proper name");
            }
            groups++;
            length = close + 1 - at;
        } else if (sign < end
                && list.charAt(sign) == ':'
                && list.substring(at + 2, sign).matches("[imsx-]+")) {
            length = sign + 1 - at;
        } else {
            throw error(at, "there is no such kind of group");
        }
        shape.open(group);
        out.append(list, at, at + length);
        at += length;
        return true;
    }

    private int closing(String complaint) {
        int close = list.indexOf(')', at);
        if (close < 0 || close >= end) {
            throw error(at, complaint);
        }
        return close;
    }

    /** A repetition if it looks like one and has something to repeat, else a brace. */
    private void brace() {
        int comma = digits(at + 1);
        int close = comma < end && list.charAt(comma) == ',' ? digits(comma + 1) : comma;
        if (before == Before.NOTHING || comma == at + 1 || close >= end || list.charAt(close) != '}') {
            at++;
            putLiteral('{');
            return;
        }
        int least = number(at + 1, comma);
        int most = comma + 1 < close ? number(comma + 1, close) : comma < close ? Shape.UNBOUNDED : least;
        if (most < least) {
            throw error(at, "this repetition has a maximum below its minimum");
        }
        repetition(close + 1 - at, least, most);
    }

    private int digits(int from) {
        int to = from;
        while (to < end && list.charAt(to) >= '0' && list.charAt(to) <= '9') {
            to++;
        }
        return to;
    }

    private int number(int from, int to) {
        if (to - from > 5) {
            throw error(from, "this number is too large");
        }
        return Integer.parseInt(list.substring(from, to));
    }

    private void repetition(int length, int min, int max) {
        if (before == Before.NOTHING) {
            throw error(at, "there is nothing that '" + list.charAt(at) + "' could repeat");
        }
        if (before == Before.REPETITION) {
            throw error(at, "'" + list.charAt(at) + "' repeats what is a repetition");
        }
        int start = at;
        at += length;
        if (at < end && (list.charAt(at) == '?' || list.charAt(at) == '+')) {
            at++;
        }
        shape.repeat(min, max);
        put(list.substring(start, at), Before.REPETITION);
    }

    private void escape() {
        if (at + 1 >= end) {
            throw error(at, "a backslash at the end, with nothing after it");
        }
        char c = list.charAt(at + 1);
        if (c == 'c' && at + 2 == end) {
            throw error(at, "a control character without its letter");
        }
        if (c >= '1' && c <= '9') {
            int to = digits(at + 1);
            if (to - at == 2 || number(at + 1, Math.min(to, at + 5)) <= groups) {
                reference(to);
                return;
            }
            if (c >= '8') {
                at++; // an octal number without a digit, and then digits
                putLiteral(0);
                return;
            }
        }
        String special = SetEscape.outsideOfBrackets(c);
        if (special != null) {
            at += 2;
            if (special.startsWith("[")) {
                putSet(special);
            } else {
                putPlace(special, SetEscape.LOOKS_AT_BORDER, c == 'Z');
            }
            return;
        }
        CharacterEscape escape = CharacterEscape.read(list, at, end);
        at = escape.end();
        putLiteral(escape.value());
    }

    private void reference(int to) {
        int number = number(at + 1, to);
        if (number > groups) {
            throw error(at, "there is no group " + number + " before it");
        }
        at = to;
        shape.reference();
        put("(?:\\" + number + ")", Before.ATOM);
    }
}
