package io.sluice.server.config.key;

import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.ValueKind;
import java.util.List;

/**
 * What a program that edits a configuration has to know of a key. Texts are Markdown, whose links are relative to the directory
 * {@code docs/}.
 *
 * @param name as written
 * @param scope which file it belongs in
 * @param group the heading of the table in which it is documented
 * @param kind what sort of text its value is
 * @param allowed what may be written, to follow "must be"
 * @param choices all that may be written, if that is a few words; else empty
 * @param unit what a number counts, in the plural; blank if that is in the description
 * @param standard the value that holds if it is absent or blank; blank if none does
 * @param standardText what holds then, where that is no value that could be written, or depends on other keys; else blank
 * @param description what it does, in a sentence or two; blank for one that does not work
 * @param change what makes a new value effective
 * @param blocking whether nothing of a configuration is taken over by a reload in which it has another value
 * @param support what this version does with it
 * @param reason why it does not work; blank if it does
 * @param ours whether canal does not have it
 * @param secret whether its value must not be shown
 */
public record KeyDescription(
        String name,
        Key.Scope scope,
        String group,
        ValueKind kind,
        String allowed,
        List<String> choices,
        String unit,
        String standard,
        String standardText,
        String description,
        Key.Change change,
        boolean blocking,
        Key.Support support,
        String reason,
        boolean ours,
        boolean secret) {
    /** Describes a key. */
    static KeyDescription of(KeyGroup group, Key<?> key, boolean isBlocking) {
        return new KeyDescription(
                key.name(),
                key.scope(),
                group.heading(),
                key.isSecret() ? ValueKind.SECRET : key.type().kind(),
                key.type().allowed(),
                key.type().choices(),
                key.type().unit(),
                key.standard(),
                key.text().standard(),
                key.text().meaning(),
                key.change(),
                isBlocking,
                key.support(),
                key.reason(),
                key.text().ours(),
                key.isSecret());
    }
}
