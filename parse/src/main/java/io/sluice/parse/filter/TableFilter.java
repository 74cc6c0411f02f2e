package io.sluice.parse.filter;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Decides which tables pass: those that an include list matches, unless an exclude list matches them too.
 *
 * <p>A list is regular expressions separated by commas outside of brackets. Each must match the whole of
 * {@code schema.table} in lower case, ignoring case. Asked once per table and version of its structure, not per row.
 */
public final class TableFilter {
    private final List<Pattern> includes;
    private final List<Pattern> excludes;

    /**
     * Makes a filter.
     *
     * @param includes what passes; empty lets all pass
     * @param excludes what does not; empty stops nothing
     * @throws IllegalArgumentException if an expression cannot be read; it says which
     */
    public TableFilter(String includes, String excludes) {
        this.includes = compile(includes);
        this.excludes = compile(excludes);
    }

    /** Whether changes of this table are delivered. */
    public boolean passes(String schema, String table) {
        String name = (schema + "." + table).toLowerCase(Locale.ROOT);
        return (includes.isEmpty() || matchesAny(includes, name)) && !matchesAny(excludes, name);
    }

    private static boolean matchesAny(List<Pattern> patterns, String name) {
        for (Pattern pattern : patterns) {
            if (pattern.matcher(name).matches()) {
                return true;
            }
        }
        return false;
    }

    private static List<Pattern> compile(String list) {
        List<Pattern> patterns = new ArrayList<>();
        for (String part : splitOutsideBrackets(list)) {
            try {
                patterns.add(Pattern.compile(part, Pattern.CASE_INSENSITIVE | Pattern.DOTALL));
            } catch (PatternSyntaxException e) {
                throw new IllegalArgumentException("'" + part + "' is no regular expression: " + e.getDescription(), e);
            }
        }
        patterns.sort(
                Comparator.comparingInt((Pattern pattern) -> pattern.pattern().length())
                        .reversed());
        return List.copyOf(patterns);
    }

    /** The parts between commas that stand in no bracket and behind no backslash; empty parts are left out. */
    static List<String> splitOutsideBrackets(String list) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i <= list.length(); i++) {
            char c = i < list.length() ? list.charAt(i) : ',';
            if (i == list.length() || c == ',' && depth == 0) {
                String part = list.substring(start, i).strip();
                if (!part.isEmpty()) {
                    parts.add(part);
                }
                start = i + 1;
            } else if (c == '\\') {
                i++;
            } else if (c == '(' || c == '[' || c == '{') {
                depth++;
            } else if ((c == ')' || c == ']' || c == '}') && depth > 0) {
                depth--;
            }
        }
        return parts;
    }
}
