package io.sluice.bench.profile;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What processor time was spent on in some cases, in percent, as a table in Markdown. */
public final class PurposeTable {
    private final Map<String, Map<Purpose, Double>> percents = new LinkedHashMap<>();

    /** Adds a column. */
    public void add(String title, StackSamples samples) {
        Map<Purpose, Double> column = new EnumMap<>(Purpose.class);
        samples.counts()
                .forEach((stack, count) ->
                        column.merge(Purpose.of(stack), 100.0 * count / samples.total(), Double::sum));
        percents.put(title, column);
    }

    /** The table, with a line for each purpose that has a share somewhere. */
    public String markdown() {
        StringBuilder text = new StringBuilder("| % |");
        percents.keySet().forEach(title -> text.append(" %s |".formatted(title)));
        text.append("\n| --- |").append(" ---: |".repeat(percents.size())).append('\n');
        for (Purpose purpose : Purpose.values()) {
            if (percents.values().stream().anyMatch(column -> column.containsKey(purpose))) {
                text.append("| %s |".formatted(purpose.title()));
                percents.values()
                        .forEach(column ->
                                text.append(String.format(Locale.ROOT, " %.1f |", column.getOrDefault(purpose, 0.0))));
                text.append('\n');
            }
        }
        return text.toString();
    }
}
