package io.sluice.bench.bridge;

import io.sluice.bench.record.Format;
import io.sluice.bench.workload.Workload;
import java.util.ArrayList;
import java.util.List;

/** One case that bridges are measured in. */
public record Cell(Workload workload, Format format, Routing routing, Compression compression) {
    /** The cells of a workload in the order of the parameters; some routings spread it over another number of tables. */
    public static List<Cell> of(
            Workload workload, List<Format> formats, List<Routing> routings, List<Compression> compressions) {
        List<Cell> cells = new ArrayList<>();
        for (Format format : formats) {
            for (Routing routing : routings) {
                Workload spread = routing.tables() == 0 ? workload : workload.over(routing.tables());
                for (Compression compression : compressions) {
                    cells.add(new Cell(spread, format, routing, compression));
                }
            }
        }
        return cells;
    }

    /** The name in logs and reports, which is also fit for a file's name. */
    public String name() {
        String name = "%s-%s-%s".formatted(workload.name(), format.spelled(), routing.spelled());
        if (routing.tables() == 0 && !workload.hasUsualTables()) {
            name += "-tables" + workload.tableCount();
        }
        return compression == Compression.NONE ? name : name + "-" + compression.spelled();
    }

    @Override
    public String toString() {
        return name();
    }
}
