package io.sluice.connector.api.route;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The routes of canal, directly by its grammar: slow, without a cache or a look-ahead. For rules that
 * canal understands, with expressions that mean the same to Java.
 */
record PlainModel(RuleTexts texts) {
    private static boolean isExpression(String match) {
        return match.matches(".*[*?+|(){}\\[\\]\\\\$^].*");
    }

    private static boolean matches(String match, String name) {
        return isExpression(match)
                ? name.toLowerCase(Locale.ROOT).matches(match.toLowerCase(Locale.ROOT))
                : match.equalsIgnoreCase(name);
    }

    private static String[] rules(String text) {
        return text.split("[,;]");
    }

    String topicOf(String schema, String table) {
        String topic = texts.topicRules().isEmpty() ? texts.topic() : dynamicTopicOf(schema, table);
        return texts.topicRules().isEmpty() ? topic : topic.replace('.', '_');
    }

    private String dynamicTopicOf(String schema, String table) {
        if (schema.isEmpty() || table.isEmpty()) {
            return texts.topic();
        }
        for (boolean ofTables : new boolean[] {true, false}) {
            String name = ofTables ? schema + "." + table : schema;
            for (String rule : rules(texts.topicRules())) {
                int colon = rule.indexOf(':');
                String match = rule.substring(colon + 1).strip();
                boolean applies = !isExpression(match) || match.contains("\\.") == ofTables;
                if (!rule.isEmpty() && applies && matches(match, name)) {
                    return colon < 0
                            ? name.toLowerCase(Locale.ROOT)
                            : rule.substring(0, colon).strip();
                }
            }
        }
        return texts.topic();
    }

    private int count(String topic) {
        for (String rule : rules(texts.countRules())) {
            int colon = rule.lastIndexOf(':');
            if (colon >= 0 && matches(rule.substring(0, colon), topic)) {
                return Integer.parseInt(rule.substring(colon + 1));
            }
        }
        return texts.partitions().orElse(1);
    }

    /**
     * The partition of a row.
     *
     * @param row its columns; a value may be null
     * @param primary which of them are the key
     */
    int partitionOf(String schema, String table, Map<String, @Nullable String> row, List<String> primary) {
        if (texts.hashRules().isEmpty()) {
            return texts.partition();
        }
        for (String rule : rules(texts.hashRules())) {
            int colon = rule.lastIndexOf(':');
            String match = colon < 0 ? rule : rule.substring(0, colon);
            if (rule.isEmpty() || !matches(match, schema + "." + table)) {
                continue;
            }
            if (colon < 0) {
                return partition(table.hashCode(), count(topicOf(schema, table)));
            }
            String columns = rule.substring(colon + 1);
            int hash = texts.hashSchema() ? schema.hashCode() : 0;
            for (String column : columns.equalsIgnoreCase("$pk$") ? primary : List.of(columns.split("\\^"))) {
                String value = row.get(column);
                hash ^= value == null ? 0 : value.hashCode();
            }
            return partition(hash, count(topicOf(schema, table)));
        }
        return 0;
    }

    private static int partition(int hash, int count) {
        return Math.abs(Math.abs(hash) % count);
    }
}
