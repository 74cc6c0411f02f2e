package io.sluice.server.config;

/**
 * A value as it was found.
 *
 * @param origin where
 * @param raw as written, trimmed
 * @param text with its placeholders filled in; the same as {@code raw} where none are
 */
record Setting(Origin origin, String raw, String text) {
    boolean isBlank() {
        return text.isEmpty();
    }
}
