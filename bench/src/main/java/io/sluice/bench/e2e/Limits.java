package io.sluice.bench.e2e;

import io.sluice.bench.limit.BenchmarkFigures;
import io.sluice.bench.limit.ProducerFigures;
import io.sluice.bench.limit.PullFigures;
import org.jspecify.annotations.Nullable;

/**
 * What the machine can do in a case, measured in the same run.
 *
 * @param pull the workload's binlog, pulled and thrown away
 * @param producer the same records, sent by Kafka's own producer, in a program that does nothing else
 * @param benchmark records of that size, sent by Kafka's own benchmark of its producer; null if it was not run
 */
record Limits(
        String workload,
        String form,
        String layout,
        String compression,
        PullFigures pull,
        ProducerFigures producer,
        @Nullable BenchmarkFigures benchmark) {
    /** The rows a second that the goal is a part of: what the binlog gives, or what Kafka's benchmark says that Kafka takes. */
    double rowsPerSecond() {
        return Math.min(pull.rowsPerSecond(), benchmark == null ? producer.rowsPerSecond() : benchmark.rowsPerSecond());
    }
}
