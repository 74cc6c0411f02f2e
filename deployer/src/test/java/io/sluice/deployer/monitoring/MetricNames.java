package io.sluice.deployer.monitoring;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the metrics that an expression of Prometheus is made of. For expressions that Prometheus would take. */
final class MetricNames {
    private static final Pattern TEXTS = Pattern.compile("\"[^\"]*\"");
    private static final Pattern LABELS_AND_RANGES =
            Pattern.compile("\\{[^}]*}|\\[[^]]*]|\\b(by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)");
    /** Not a number with its unit, and not a function. */
    private static final Pattern WORD = Pattern.compile("(?<![\\w:.])[A-Za-z_:][\\w:]*+(?!\\s*\\()");

    private static final Set<String> KEYWORDS = Set.of("and", "or", "unless", "bool", "offset");

    private MetricNames() {}

    /** All names, each once. */
    static Set<String> of(String expression) {
        String bare = LABELS_AND_RANGES
                .matcher(TEXTS.matcher(expression).replaceAll("\"\""))
                .replaceAll(" ");
        Set<String> names = new TreeSet<>();
        Matcher word = WORD.matcher(bare);
        while (word.find()) {
            names.add(word.group());
        }
        names.removeAll(KEYWORDS);
        return names;
    }
}
