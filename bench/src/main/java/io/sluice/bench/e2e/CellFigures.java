package io.sluice.bench.e2e;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one case.
 *
 * @param ours the median run of our server
 * @param peers the median runs of other bridges, measured in the same run
 * @param limits null if they were not measured
 * @param references what other bridges were measured to take before, as they would on this machine
 */
record CellFigures(
        Measurement ours, List<Measurement> peers, @Nullable Limits limits, List<Reference> references) {
    private static final String OURS = "sluice";

    /** Those of all cases in which our server was measured, in their order. */
    static List<CellFigures> of(Results results, References references) {
        Map<List<String>, Map<String, List<Measurement>>> cells = new LinkedHashMap<>();
        for (Measurement one : results.runs()) {
            cells.computeIfAbsent(
                            List.of(one.workload(), one.form(), one.layout(), one.compression()),
                            key -> new LinkedHashMap<>())
                    .computeIfAbsent(one.bridge(), key -> new ArrayList<>())
                    .add(one);
        }
        Map<String, Machine> machines = new HashMap<>();
        List<CellFigures> figures = new ArrayList<>();
        cells.forEach((cell, runs) -> {
            List<Measurement> ours = runs.remove(OURS);
            if (ours != null) {
                Machine machine =
                        machines.computeIfAbsent(cell.get(0), workload -> Machine.of(workload, results, references));
                figures.add(new CellFigures(
                        median(ours),
                        runs.values().stream().map(CellFigures::median).toList(),
                        limits(results, cell),
                        references.of(cell.get(0), cell.get(1), cell.get(2)).stream()
                                .map(machine::here)
                                .toList()));
            }
        });
        return figures;
    }

    /** The run in the middle, by rows per second. */
    static Measurement median(List<Measurement> runs) {
        return runs.stream()
                .sorted(Comparator.comparingDouble(Measurement::rowsPerSecond))
                .toList()
                .get(runs.size() / 2);
    }

    private static @Nullable Limits limits(Results results, List<String> cell) {
        return results.limits().stream()
                .filter(one -> List.of(one.workload(), one.form(), one.layout(), one.compression())
                        .equals(cell))
                .max(Comparator.comparingDouble(Limits::rowsPerSecond))
                .orElse(null);
    }

    boolean isCompressed() {
        return !ours.compression().equals("none");
    }

    /** canal's least CPU seconds for a million rows, whatever its settings; 0 if not known. */
    double canalsLeastCpuSeconds() {
        return references.stream()
                .filter(Reference::isCanal)
                .mapToDouble(Reference::leastCpuSeconds)
                .min()
                .orElse(0);
    }

    /** canal's rows per second with shipped settings, at most; 0 if not known. */
    double canalsShippedRowsPerSecond() {
        return references.stream()
                .filter(one -> one.isCanal() && one.isShipped())
                .mapToDouble(Reference::mostRowsPerSecond)
                .max()
                .orElse(0);
    }
}
