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
 * @param settings of all keys that are set and not blank, and of those that cannot be used; one that was set by an old name of its
 *     key is under the new one
 */
public record ProducerSettings(Map<String, Setting> settings) {
    /** The values, as the connector takes them. */
    public Map<String, String> properties() {
        Map<String, String> properties = new TreeMap<>();
        settings.forEach((name, setting) -> {
            if (!setting.isUnusable()) {
                properties.put(name, setting.text());
            }
        });
        return properties;
    }

    public @Nullable Setting find(String name) {
        return settings.get(name);
    }

    /** What a connector says of a key, without anything secret; it may quote other keys, too. */
    public String sentence(String name, String complaint) {
        String sentence = complaint;
        for (Map.Entry<String, Setting> other : settings.entrySet()) {
            if (!other.getKey().equals(name) && isSecret(other.getKey(), other.getValue())) {
                sentence = Masking.without(other.getValue().text(), sentence);
            }
        }
        Setting own = settings.get(name);
        if (own == null) {
            return Masking.sentence(sentence);
        }
        return isSecret(name, own) ? Masking.about(own.text(), sentence) : Masking.aboutWritten(own.text(), sentence);
    }

    private static boolean isSecret(String name, Setting setting) {
        return Key.isSecret(name) || setting.content() == Setting.Content.SECRET;
    }
}
