package io.sluice.bench.stage;

import io.sluice.bench.e2e.Form;
import java.nio.file.Path;
import java.util.List;

/**
 * What one process of the bench is to do.
 *
 * @param binlog the folder of the recorded binlog
 * @param port where the server with that binlog listens; 0 if it is read from the file
 * @param instances how many read it, each on its own and all at once, at least 1
 * @param check whether it is read once more afterwards, and every row that arrives is looked at
 * @param settings lines for {@code canal.properties}, besides those that the bench must set
 * @param work an empty folder
 */
record StageJob(
        StageSource source,
        Form form,
        Path binlog,
        int port,
        int instances,
        boolean check,
        List<String> settings,
        Path work) {
    StageJob {
        if (instances < 1) {
            throw new IllegalArgumentException("a run of " + instances + " instances");
        }
        settings = List.copyOf(settings);
    }
}
