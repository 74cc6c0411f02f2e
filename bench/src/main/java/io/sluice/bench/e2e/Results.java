package io.sluice.bench.e2e;

import java.util.List;

/**
 * All that was measured, in its order.
 *
 * @param runs several of each bridge in each case, if it was to be so
 * @param limits one for each case, or none at all
 */
record Results(List<Measurement> runs, List<Limits> limits) {
    Results {
        runs = List.copyOf(runs);
        limits = List.copyOf(limits);
    }
}
