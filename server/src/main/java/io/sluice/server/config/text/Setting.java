package io.sluice.server.config.text;

/**
 * A value as it was found.
 *
 * @param origin where
 * @param raw as written, trimmed
 * @param text with its placeholders filled in; the same as {@code raw} where none are
 */
public record Setting(Origin origin, String raw, String text) {
    public boolean isBlank() {
        return text.isEmpty();
    }
}
