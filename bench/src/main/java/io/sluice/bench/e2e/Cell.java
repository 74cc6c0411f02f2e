package io.sluice.bench.e2e;

import io.sluice.bench.workload.Workload;

/** One case that bridges are measured in. */
record Cell(Workload workload, Form form, Layout layout, Compression compression) {
    /** As logs and complaints spell it. */
    @Override
    public String toString() {
        return "%s %s %s %s".formatted(workload.name(), form.spelled(), layout.spelled(), compression.spelled());
    }
}
