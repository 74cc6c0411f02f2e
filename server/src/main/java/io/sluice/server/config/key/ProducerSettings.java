package io.sluice.server.config.key;

import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Masking;
import io.sluice.server.config.text.Setting;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is set for the producer, by the keys that its connector knows.
 *
 * @param found all keys that are set and not blank, and those that cannot be used; one that was set by an old name of its key is under
 *     the new one
 */
public record ProducerSettings(Map<String, Found> found) {
    /**
     * A value that counts for a key.
     *
     * @param as the key under which it was found: the key itself, or an old name of it
     */
    public record Found(String as, Setting setting) {}

    /** The values, as the connector takes them. */
    public Map<String, String> properties() {
        Map<String, String> properties = new TreeMap<>();
        found.forEach((name, one) -> {
            if (!one.setting().isUnusable()) {
                properties.put(name, one.setting().text());
            }
        });
        return properties;
    }

    /** The name by which a key is in the configuration. */
    public String writtenAs(String name) {
        Found one = found.get(name);
        return one == null ? name : one.as();
    }

    public @Nullable Setting find(String name) {
        Found one = found.get(name);
        return one == null ? null : one.setting();
    }

    /** Of the keys that are set by an old name, that name. */
    public Map<String, String> formerNames() {
        Map<String, String> names = new TreeMap<>();
        found.forEach((name, one) -> {
            if (!one.as().equals(name)) {
                names.put(name, one.as());
            }
        });
        return names;
    }

    /** The complaint of a connector about a key, without anything secret; it may quote other keys, too. */
    public String sentence(String name, String complaint) {
        String sentence = complaint;
        for (Map.Entry<String, Found> other : found.entrySet()) {
            Setting setting = other.getValue().setting();
            if (!other.getKey().equals(name) && isSecret(other.getKey(), setting)) {
                sentence = Masking.without(setting.text(), sentence);
            }
        }
        Setting own = find(name);
        if (own == null) {
            return Masking.sentence(sentence);
        }
        return isSecret(name, own) ? Masking.about(own.text(), sentence) : Masking.aboutWritten(own.text(), sentence);
    }

    private static boolean isSecret(String name, Setting setting) {
        return Key.isSecret(name) || setting.content() == Setting.Content.SECRET;
    }
}
