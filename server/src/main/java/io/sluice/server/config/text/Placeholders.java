package io.sluice.server.config.text;

import java.util.Set;
import java.util.function.Function;

/** Makes the setting that counts of one as it is written. */
final class Placeholders {
    private Placeholders() {}

    /**
     * Fills in its placeholders.
     *
     * @param names finds what they stand for; made for this value alone
     * @param problems gets what cannot be filled in; the setting is unusable then
     */
    static Setting fill(
            String key,
            Setting raw,
            OutsideValues outside,
            Function<Filling, Filling.Names> names,
            Set<Problem> problems) {
        if (raw.isHidden()) {
            outside.addUnread(raw.origin(), key, "");
            return new Setting(raw.origin(), raw.raw(), "", Setting.Content.UNUSABLE);
        }
        if (raw.raw().indexOf("${") < 0) {
            return raw;
        }
        Filling filling = new Filling(outside);
        try {
            String text = filling.fill(raw.raw(), names.apply(filling));
            // What a file holds may begin or end with white space, and it is a part of a password.
            return filling.isSecret()
                    ? new Setting(raw.origin(), raw.raw(), text, Setting.Content.SECRET)
                    : new Setting(raw.origin(), raw.raw(), text.strip(), Setting.Content.WRITTEN);
        } catch (UnknownValueException e) {
            outside.addUnread(raw.origin(), key, Masking.shown(key, raw.raw()));
            return new Setting(raw.origin(), raw.raw(), "", Setting.Content.UNUSABLE);
        } catch (PlaceholderException e) {
            problems.add(new Problem(raw.origin(), key, Masking.shown(key, raw.raw()), String.valueOf(e.getMessage())));
            return new Setting(raw.origin(), raw.raw(), "", Setting.Content.UNUSABLE);
        }
    }
}
