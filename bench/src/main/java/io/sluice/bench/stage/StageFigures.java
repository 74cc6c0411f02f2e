package io.sluice.bench.stage;

/**
 * One measured run.
 *
 * @param workload what was read
 * @param source from where
 * @param form what was made of it; - if nothing
 */
record StageFigures(String workload, String source, String form, StageResult result) {}
