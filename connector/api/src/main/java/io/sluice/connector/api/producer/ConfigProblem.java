package io.sluice.connector.api.producer;

/**
 * One thing that is wrong with a producer's properties.
 *
 * @param key the property, as the operator spells it, such as {@code kafka.acks}
 * @param problem what is wrong with it and what is allowed; never the value of a secret
 */
public record ConfigProblem(String key, String problem) {
    @Override
    public String toString() {
        return key + ": " + problem;
    }
}
