package io.sluice.server.config.text;

/**
 * A value as it was found.
 *
 * @param origin where
 * @param raw as written, trimmed
 * @param text with its placeholders filled in; the same as {@code raw} where none are; empty if it is unusable
 * @param content what is known of the text
 */
public record Setting(Origin origin, String raw, String text, Content content) {
    /** What is known of a setting's text. */
    public enum Content {
        /** The value of the configuration, secret or not by the name of its key. */
        WRITTEN,
        /** Something of it is from a file, a variable or a secret key: it is not shown, whatever the name of its key is. */
        SECRET,
        /** A placeholder could not be filled in, or the value is known on another machine only; both are noted where they belong. */
        UNUSABLE,
        /** It is set to something that must not be known: a lookup returns it as unusable. */
        HIDDEN
    }

    /** A value that must not be known. */
    static Setting hidden(Origin origin) {
        return new Setting(origin, Secret.MASK, "", Content.HIDDEN);
    }

    /** Whether its value must not be known. */
    boolean isHidden() {
        return content == Content.HIDDEN;
    }

    /** A value without placeholders. */
    public static Setting written(Origin origin, String raw) {
        return new Setting(origin, raw, raw, Content.WRITTEN);
    }

    public boolean isBlank() {
        return text.isEmpty();
    }

    /** Whether it is set to something that cannot be used; it is blank then, too. */
    public boolean isUnusable() {
        return content == Content.UNUSABLE;
    }

    /** Without the value: which key it is for, and so whether it is secret, is not known here. */
    @Override
    public String toString() {
        return "Setting[origin=%s, content=%s]".formatted(origin, content);
    }
}
