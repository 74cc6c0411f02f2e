package io.sluice.server.config.read;

import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Lookup;
import io.sluice.server.config.text.Secret;
import io.sluice.server.config.text.Setting;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds secrets within values that are none as a whole: in URLs, and in what placeholders stand for. */
final class SecretText {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{\\s*([^:}$]+?)\\s*[:}]");
    private static final Pattern ONE_PLACEHOLDER = Pattern.compile("\\$\\{[^:{}]+}");

    /** {@code user:password@} after the scheme of a URL; a list may have several. */
    private static final Pattern USER_INFORMATION = Pattern.compile("(://[^:@/\\s]*:)[^/\\s]*@");

    /** A parameter of a URL, or of a list of options. */
    private static final Pattern PARAMETER = Pattern.compile(
            "(?i)([\\w.-]*(?:passw|secret|token|accesskey|\\bpwd)[\\w.-]*\\s*=\\s*)(?!\\$\\{)[^&;,\\s}]+");

    private SecretText() {}

    /** A value without passwords in URLs and parameters. */
    static String withoutCredentials(String text) {
        String plain = USER_INFORMATION.matcher(text).replaceAll("$1" + Secret.MASK + "@");
        return PARAMETER.matcher(plain).replaceAll("$1" + Secret.MASK);
    }

    /** Whether a placeholder of a value, or one within what it stands for, is filled with a secret. */
    static boolean hasSecret(String raw, Lookup lookup) {
        return hasSecret(raw, lookup, new HashSet<>());
    }

    private static boolean hasSecret(String raw, Lookup lookup, Set<String> seen) {
        Matcher matcher = PLACEHOLDER.matcher(raw);
        while (matcher.find()) {
            String name = matcher.group(1);
            if (Key.isSecret(name)) {
                return true;
            }
            Setting setting = seen.add(name) ? lookup.find(name) : null;
            if (setting != null && hasSecret(setting.raw(), lookup, seen)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a value is a placeholder without a fallback, and nothing else. */
    static boolean isOnePlaceholder(String raw) {
        return ONE_PLACEHOLDER.matcher(raw).matches();
    }
}
