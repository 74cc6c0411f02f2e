package io.sluice.bench.e2e;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * All that was measured, in its order.
 *
 * @param runs several of each bridge in each case, if it was to be so
 * @param limits of each case, or none at all
 */
record Results(List<Measurement> runs, List<Limits> limits) {
    Results {
        runs = List.copyOf(runs);
        limits = List.copyOf(limits);
    }

    /** Writes all as JSON. */
    void write(Path file) throws IOException {
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), this);
    }

    /** Reads what was written to some files, as if it had been measured at once. */
    static Results read(List<Path> files) throws IOException {
        List<Measurement> runs = new ArrayList<>();
        List<Limits> limits = new ArrayList<>();
        for (Path file : files) {
            Results one = new ObjectMapper().readValue(file.toFile(), Results.class);
            runs.addAll(one.runs);
            limits.addAll(one.limits);
        }
        return new Results(runs, limits);
    }
}
