package io.sluice.testkit.prometheus;

import java.net.URI;

/**
 * How the last reading of a target went.
 *
 * @param lastError what went wrong, in Prometheus's words; empty if nothing did
 */
public record TargetHealth(String job, URI metrics, State state, String lastError) {
    /** The state of a target in Prometheus. */
    public enum State {
        /** Not read yet. */
        UNKNOWN,
        UP,
        DOWN
    }
}
