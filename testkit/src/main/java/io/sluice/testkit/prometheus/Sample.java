package io.sluice.testkit.prometheus;

import java.util.Map;

/**
 * A value that a query gives.
 *
 * @param labels those of its series, with {@code __name__} where the query keeps the name; none of a scalar
 */
public record Sample(Map<String, String> labels, double value) {
    public Sample {
        labels = Map.copyOf(labels);
    }
}
