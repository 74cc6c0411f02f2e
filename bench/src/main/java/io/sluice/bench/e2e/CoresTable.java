package io.sluice.bench.e2e;

import java.util.List;
import java.util.Locale;

/**
 * Where the machine's processors were while a warm bridge carried rows, as a table in Markdown: what the bridge, the broker and
 * MySQL spent for a million rows, how many processors that kept busy, and how many rows a second the machine would carry if
 * the bridge spent no more than Kafka's producer alone.
 */
final class CoresTable {
    private static final String HEAD = """
            | workload | form | layout | Sluice | Kafka | MySQL | processors busy | rows/s, thousands | producer alone | \
            rows/s if the producer were all |
            | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
            """;

    private CoresTable() {}

    /** The table of those cases whose limits were measured; empty if there is none. */
    static String of(List<CellFigures> cells) {
        StringBuilder rows = new StringBuilder();
        for (CellFigures cell : cells) {
            Limits limits = cell.limits();
            if (limits != null) {
                rows.append(row(cell.ours(), limits.producer().steadyCpuSecondsPerMillionRows()));
            }
        }
        return rows.isEmpty() ? "" : HEAD + rows;
    }

    private static String row(Measurement ours, double producer) {
        CpuSeconds perMillion = ours.steady().perMillionRows();
        double rowsPerSecond = ours.steady().rowsPerSecond();
        double least = producer + perMillion.broker() + perMillion.source();
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %.2f | %.2f | %.2f | %.2f of %d | %.0f | %.2f | %.0f |%n",
                ours.workload(),
                ours.form(),
                ours.layout(),
                perMillion.bridge(),
                perMillion.broker(),
                perMillion.source(),
                perMillion.sum() * rowsPerSecond / 1e6,
                ours.processors(),
                rowsPerSecond / 1000,
                producer,
                ours.processors() * 1000 / least);
    }
}
