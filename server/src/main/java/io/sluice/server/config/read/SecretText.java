package io.sluice.server.config.read;

import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Lookup;
import io.sluice.server.config.text.PlaceholderNames;
import io.sluice.server.config.text.Setting;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Finds secrets in what the placeholders of a value stand for. */
final class SecretText {
    private static final Pattern ONE_PLACEHOLDER = Pattern.compile("\\$\\{(?:(?:file|env):)?[^:{}]+}");

    private SecretText() {}

    /** Whether a placeholder of a value, or one within what it stands for, is filled with a secret. */
    static boolean hasSecret(String raw, Lookup lookup) {
        Set<String> seen = new HashSet<>();
        Deque<String> values = new ArrayDeque<>(List.of(raw));
        while (!values.isEmpty()) {
            for (String name : PlaceholderNames.of(values.remove())) {
                if (Key.isSecret(name)) {
                    return true;
                }
                Setting setting = seen.add(name) ? lookup.find(name) : null;
                if (setting != null) {
                    values.add(setting.raw());
                }
            }
        }
        return false;
    }

    /** Whether a value is a placeholder without a fallback, and nothing else. */
    static boolean isOnePlaceholder(String raw) {
        return ONE_PLACEHOLDER.matcher(raw).matches();
    }
}
