package io.sluice.connector.api.producer;

/**
 * One thing that is wrong with a producer's properties.
 *
 * @param key the full key of the property, such as {@code kafka.acks}; one that is not set, too, or {@code kafka.*} for what concerns
 *     several. If it was set by an alias, the server shows that one
 * @param problem what is wrong with it and what is allowed, as a sentence that continues {@code <key>:}; never the value of a secret
 */
public record ConfigProblem(String key, String problem) {
    /** For logs: {@code <key>: <problem>}. */
    @Override
    public String toString() {
        return key + ": " + problem;
    }
}
