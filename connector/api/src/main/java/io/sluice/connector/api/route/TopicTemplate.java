package io.sluice.connector.api.route;

import io.sluice.protocol.pattern.MarkedSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A topic's name, in which <code>${schema}</code> and <code>${table}</code> are replaced by those of the table, in lower case.
 * Immutable.
 */
final class TopicTemplate {
    private static final String SCHEMA = "${schema}";
    private static final String TABLE = "${table}";

    /** Texts, with {@link #SCHEMA} and {@link #TABLE} between them. */
    private final List<String> pieces;

    private TopicTemplate(List<String> pieces) {
        this.pieces = List.copyOf(pieces);
    }

    /**
     * Reads one.
     *
     * @throws MarkedSyntaxException if it is empty, or has another placeholder
     */
    static TopicTemplate read(RuleSpan span) {
        if (span.isEmpty()) {
            throw span.wrong("the topic before the colon is empty");
        }
        String text = span.text();
        List<String> pieces = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int start = text.indexOf("${", at);
            if (start != at) {
                int end = start < 0 ? text.length() : start;
                pieces.add(text.substring(at, end));
                at = end;
            } else if (text.startsWith(SCHEMA, at) || text.startsWith(TABLE, at)) {
                String piece = text.startsWith(SCHEMA, at) ? SCHEMA : TABLE;
                pieces.add(piece);
                at += piece.length();
            } else {
                throw new MarkedSyntaxException(
                        span.list(),
                        span.from() + at,
                        "a topic may have ${schema} and ${table}, and no other placeholder");
            }
        }
        return new TopicTemplate(pieces);
    }

    /** Whether it is the same topic for all tables. */
    boolean isFixed() {
        return !pieces.contains(SCHEMA) && !pieces.contains(TABLE);
    }

    /** The topic of a table. */
    String topicOf(String schema, String table) {
        StringBuilder topic = new StringBuilder();
        for (String piece : pieces) {
            if (piece.equals(SCHEMA)) {
                topic.append(schema.toLowerCase(Locale.ROOT));
            } else if (piece.equals(TABLE)) {
                topic.append(table.toLowerCase(Locale.ROOT));
            } else {
                topic.append(piece);
            }
        }
        return topic.toString();
    }
}
