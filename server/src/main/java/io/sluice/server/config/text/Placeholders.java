package io.sluice.server.config.text;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Makes the setting that counts of one as it is written: fills in its placeholders, once for each key. For one lookup and one thread.
 */
public final class Placeholders {
    private final OutsideValues outside;
    private final Set<Problem> problems;

    /** By key. A value with placeholders is asked for again and again, and may be long. */
    private final Map<String, Setting> filled = new HashMap<>();

    /**
     * Creates them.
     *
     * @param outside reads what they name outside of the texts
     * @param problems gets those that cannot be filled in, such as those that lead back to themselves; the setting is unusable then
     */
    public Placeholders(OutsideValues outside, Set<Problem> problems) {
        this.outside = outside;
        this.problems = problems;
    }

    /** Those of texts that are only compared: nothing outside of them is read, and what cannot be filled in is no problem. */
    public static Placeholders ofComparedTexts() {
        return new Placeholders(OutsideValues.none(new HashSet<>()), new HashSet<>());
    }

    /**
     * Fills in the placeholders of one setting.
     *
     * @param names finds what they stand for; made for this value alone
     */
    Setting fill(String key, Setting raw, Function<Filling, Filling.Names> names) {
        if (raw.isHidden()) {
            outside.addUnread(raw.origin(), key, "");
            return new Setting(raw.origin(), raw.raw(), "", Setting.Content.UNUSABLE);
        }
        if (raw.raw().indexOf("${") < 0) {
            return raw;
        }
        Setting known = filled.get(key);
        if (known == null) {
            known = filledIn(key, raw, names);
            filled.put(key, known);
        }
        return known;
    }

    private Setting filledIn(String key, Setting raw, Function<Filling, Filling.Names> names) {
        Filling filling = new Filling(outside, raw.origin(), key);
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
