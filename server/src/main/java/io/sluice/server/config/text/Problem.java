package io.sluice.server.config.text;

/**
 * One thing that is wrong with the configuration.
 *
 * @param origin where it is
 * @param key the key it is about; empty if it is about a file as a whole
 * @param value what is set, masked if it is secret; empty if nothing is
 * @param complaint what is wrong, and what is allowed
 */
public record Problem(Origin origin, String key, String value, String complaint) {
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(origin.toString()).append(": ");
        if (!key.isEmpty()) {
            text.append(key);
            if (!value.isEmpty()) {
                text.append(" = ").append(value);
            }
            text.append(": ");
        }
        return text.append(complaint).toString();
    }
}
