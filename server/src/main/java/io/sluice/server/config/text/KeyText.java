package io.sluice.server.config.text;

/**
 * The description of a key for operators, in Markdown whose links are relative to {@code docs/}.
 *
 * @param meaning a sentence or two; blank for a key that does not work
 * @param standard what holds if the key is absent, for defaults that are no value that could be written; blank where the key's own
 *     default says it
 * @param ours whether the key is Sluice's; else canal has it, too
 */
public record KeyText(String meaning, String standard, boolean ours) {
    static final KeyText NONE = new KeyText("", "", false);

    KeyText withMeaning(String text) {
        return new KeyText(text, standard, ours);
    }

    KeyText withStandard(String text) {
        return new KeyText(meaning, text, ours);
    }

    KeyText asOurs() {
        return new KeyText(meaning, standard, true);
    }
}
