package io.sluice.bench.e2e;

import io.sluice.bench.limit.ProducerFigures;
import io.sluice.bench.limit.PullFigures;

/**
 * What the machine can do in a case, measured in the same run.
 *
 * @param pull the workload's binlog, pulled and thrown away
 * @param producer the same records, sent by Kafka's own producer
 */
record Limits(
        String workload, String form, String layout, String compression, PullFigures pull, ProducerFigures producer) {
    /** The rows a second that no bridge can exceed. */
    double rowsPerSecond() {
        return Math.min(producer.rowsPerSecond(), pull.rowsPerSecond());
    }
}
