package io.sluice.server.check;

import io.sluice.schema.filter.TableVerdict;

/** Describes a filter's verdict: the key, and the expression in it, that decided. */
final class VerdictText {
    static final String INCLUDE = "canal.instance.filter.regex";
    private static final String EXCLUDE = "canal.instance.filter.black.regex";

    private VerdictText() {}

    static String of(TableVerdict verdict) {
        if (verdict instanceof TableVerdict.Excluded excluded) {
            return EXCLUDE + ": " + excluded.by();
        }
        if (verdict instanceof TableVerdict.Included included) {
            return included.by().isEmpty() ? INCLUDE + " is blank" : INCLUDE + ": " + included.by();
        }
        return INCLUDE + ": nothing in it matches";
    }
}
