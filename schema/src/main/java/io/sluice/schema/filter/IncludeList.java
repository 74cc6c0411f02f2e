package io.sluice.schema.filter;

import io.sluice.protocol.pattern.NamePatterns;

/**
 * A list of expressions for tables that pass; an empty one lets all pass.
 *
 * @param text as written
 * @param patterns the same, ready to be matched
 */
public record IncludeList(String text, NamePatterns patterns) {
    static IncludeList parse(String text) {
        return new IncludeList(text, NamePatterns.parse(text));
    }

    boolean matches(String name) {
        return patterns.isEmpty() || patterns.matches(name);
    }
}
