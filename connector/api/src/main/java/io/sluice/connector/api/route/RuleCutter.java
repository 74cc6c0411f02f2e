package io.sluice.connector.api.route;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Cuts the text of a key into rules, at commas and semicolons, and a rule in two, at a colon.
 *
 * <p>No cut is made after a backslash, in brackets or parentheses that are closed, and in a repetition such as
 * <code>{1,2}</code>. canal cuts there too, and is left with expressions that it cannot read, or that no name matches.
 */
final class RuleCutter {
    private static final Pattern REPETITION = Pattern.compile("\\{\\d+,\\d*}");

    private final String list;

    /** The sets of characters without an end: each is searched to the end of the list. A list with one is always wrong. */
    private static final int MAX_UNCLOSED = 100;

    /** For what begins at an index and is not cut within: where it ends, exclusive; else 0. */
    private final int[] ends;

    private int unclosed;

    RuleCutter(String list) {
        this.list = list;
        this.ends = new int[list.length()];
        Deque<Integer> open = new ArrayDeque<>();
        int at = 0;
        while (at < list.length()) {
            char c = list.charAt(at);
            if (c == '\\') {
                ends[at] = Math.min(at + 2, list.length());
            } else if (c == '[') {
                ends[at] = bracketEnd(at);
            } else if (c == '{') {
                ends[at] = repetitionEnd(at);
            } else if (c == '(') {
                open.push(at);
            } else if (c == ')' && !open.isEmpty()) {
                ends[open.pop()] = at + 1;
            }
            at = next(at);
        }
    }

    /** The first rules, without blanks around them; those that are nothing else are none. */
    List<RuleSpan> rules(int most) {
        List<RuleSpan> rules = new ArrayList<>();
        int start = 0;
        int at = 0;
        while (at < list.length() && rules.size() < most) {
            char c = list.charAt(at);
            if (c == ',' || c == ';') {
                add(rules, start, at);
                start = at + 1;
            }
            at = next(at);
        }
        if (rules.size() < most) {
            add(rules, start, list.length());
        }
        return rules;
    }

    private void add(List<RuleSpan> rules, int start, int end) {
        RuleSpan rule = new RuleSpan(list, start, end);
        if (!rule.strip().isEmpty()) {
            rules.add(rule);
        }
    }

    /** Where a rule's first colon is; -1 if it has none. */
    int firstColon(RuleSpan rule) {
        for (int at = rule.from(); at < rule.to(); at = next(at)) {
            if (list.charAt(at) == ':') {
                return at;
            }
        }
        return -1;
    }

    /** Where a rule's last colon is; -1 if it has none. */
    int lastColon(RuleSpan rule) {
        int colon = -1;
        for (int at = rule.from(); at < rule.to(); at = next(at)) {
            if (list.charAt(at) == ':') {
                colon = at;
            }
        }
        return colon;
    }

    /** Whether a character that separates elsewhere is literal in a part of a rule. */
    boolean hasUncutComma(RuleSpan part) {
        for (int at = part.from(); at < part.to(); at = next(at)) {
            if (list.charAt(at) == '(' || list.charAt(at) == '[') {
                String inside = list.substring(at, Math.min(next(at), part.to()));
                if (REPETITION.matcher(inside).replaceAll("").matches(".*[,;].*")) {
                    return true;
                }
            }
        }
        return false;
    }

    private int next(int at) {
        return ends[at] > 0 ? ends[at] : at + 1;
    }

    /** The end of a set of characters; 0 if it is never closed. */
    private int bracketEnd(int start) {
        if (unclosed > MAX_UNCLOSED) {
            return 0;
        }
        int at = start + 1;
        if (at < list.length() && list.charAt(at) == '^') {
            at++;
        }
        int first = at;
        while (at < list.length()) {
            char c = list.charAt(at);
            if (c == ']' && at > first) {
                return at + 1;
            }
            int named = list.startsWith("[:", at) ? afterLetters(at + 2) : -1;
            if (named >= 0 && list.startsWith(":]", named)) {
                at = named + 2;
            } else {
                at += c == '\\' ? 2 : 1;
            }
        }
        unclosed++;
        return 0;
    }

    private int afterLetters(int from) {
        int to = from;
        while (to < list.length() && Character.isLetter(list.charAt(to))) {
            to++;
        }
        return to;
    }

    /** The end of a repetition with a comma in it; 0 if there is none. */
    private int repetitionEnd(int start) {
        int comma = digits(start + 1);
        if (comma == start + 1 || comma >= list.length() || list.charAt(comma) != ',') {
            return 0;
        }
        int close = digits(comma + 1);
        return close < list.length() && list.charAt(close) == '}' ? close + 1 : 0;
    }

    private int digits(int from) {
        int to = from;
        while (to < list.length() && list.charAt(to) >= '0' && list.charAt(to) <= '9') {
            to++;
        }
        return to;
    }
}
