package io.sluice.connector.api.route;

import io.sluice.format.split.RowKey;
import io.sluice.protocol.pattern.MarkedSyntaxException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rule of {@code canal.mq.partitionHash} or {@code canal.mq.messageKey}.
 *
 * @param span the rule
 * @param names the text of the tables that it is for
 * @param match which tables it is for
 * @param key the columns it names; null if it names none
 */
record KeyRule(
        RuleSpan span,
        RuleSpan names,
        NameMatch match,
        @Nullable RowKey key) implements Rule {
    static final String PRIMARY = "$pk$";

    /** Reads one, which is not empty. */
    static KeyRule read(RuleCutter cutter, RuleSpan rule) {
        int colon = cutter.lastColon(rule);
        RuleSpan name = rule.sub(rule.from(), colon < 0 ? rule.to() : colon).strip();
        if (name.isEmpty()) {
            throw name.wrong("there is no table before the colon");
        }
        RowKey key = colon < 0 ? null : columns(rule.sub(colon + 1, rule.to()).strip());
        return new KeyRule(rule.strip(), name, NameMatch.read(name), key);
    }

    /** Reads the columns of a key, with a sign between them. */
    static RowKey columns(RuleSpan span) {
        if (span.isEmpty()) {
            throw span.wrong("there is no column after the colon");
        }
        if (span.text().equalsIgnoreCase(PRIMARY)) {
            return RowKey.PRIMARY;
        }
        List<String> columns = new ArrayList<>();
        String text = span.text(); // not the list: each of its rules would be searched to its end
        int at = span.from();
        while (at <= span.to()) {
            int sign = text.indexOf('^', at - span.from());
            int end = sign < 0 ? span.to() : span.from() + sign;
            RuleSpan column = span.sub(at, end).strip();
            if (column.isEmpty()) {
                throw new MarkedSyntaxException(span.list(), at, "a column has no name");
            }
            if (column.text().equalsIgnoreCase(PRIMARY)) {
                throw column.wrong(PRIMARY + " cannot be combined with columns");
            }
            columns.add(column.text());
            at = end + 1;
        }
        return RowKey.of(columns);
    }

    /** Whether it can be for no table, since tables are named with their schemas. */
    boolean isNameWithoutSchema() {
        return match instanceof NameMatch.Name only && only.name().indexOf('.') < 0;
    }

    boolean matches(String schema, String table) {
        return match.matches(schema + "." + table);
    }
}
