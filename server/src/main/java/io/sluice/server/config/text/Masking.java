package io.sluice.server.config.text;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes what is secret out of values and sentences that are shown. */
public final class Masking {
    /** {@code //user:password@host} of a URL; the last {@code @} ends the password. */
    private static final Pattern URL_LOGIN = Pattern.compile("//([^\\s:/@'\"]*):([^\\s'\"]*)@");

    /** The same without a scheme. */
    private static final Pattern LOGIN =
            Pattern.compile("(?<![^\\s'\"(,;=])([^\\s:/@'\"(,;=]+):(?!(?:[\\w+.-]+:)*//)([^\\s'\",;]*)@");

    /** A parameter of a URL, of a connection string or of a login module. */
    private static final Pattern PARAMETER = Pattern.compile(
            "(?i)((?:passw|passphrase|secret|token|accesskey|pwd)[\\w.-]*\\s*=\\s*)(\"[^\"]*\"|[^\\s&;,]+)");

    /** Shorter pieces of a secret are in many sentences by chance. */
    private static final int TELLING = 4;

    private Masking() {}

    /** What to show of a value that is under a name, be it a key or not. */
    public static String shown(String name, String value) {
        return Key.masked(name, sentence(value));
    }

    /** What to show of a setting: never what was filled in, if that is secret. */
    public static String shown(String name, Setting setting) {
        return shown(name, setting.content() == Setting.Content.WRITTEN ? setting.text() : setting.raw());
    }

    /** A text without the passwords in URLs and the like. */
    public static String sentence(String text) {
        String masked = URL_LOGIN.matcher(text).replaceAll("//$1:" + Secret.MASK + "@");
        masked = LOGIN.matcher(masked).replaceAll("$1:" + Secret.MASK + "@");
        return PARAMETER.matcher(masked).replaceAll("$1" + Secret.MASK);
    }

    /** A sentence about a secret; another one in its place if it has a part of the secret in it. */
    public static String about(String secret, String sentence) {
        return shares(secret, sentence)
                ? "cannot be used; why is not shown, since that quotes the value, which is secret: see docs/configuration.md"
                : sentence(sentence);
    }

    /** A sentence about a value that is not secret itself, but may have a password in it, as URLs do. */
    public static String aboutWritten(String value, String sentence) {
        String masked = sentence(sentence);
        for (Pattern pattern : List.of(URL_LOGIN, LOGIN, PARAMETER)) {
            Matcher matcher = pattern.matcher(value);
            while (matcher.find()) {
                masked = about(matcher.group(2), masked);
            }
        }
        return masked;
    }

    /** A sentence without this secret as a whole. */
    public static String without(String secret, String sentence) {
        if (secret.isEmpty()) {
            return sentence;
        }
        String whole = secret.length() < TELLING
                ? "(?<!\\p{Alnum})" + Pattern.quote(secret) + "(?!\\p{Alnum})"
                : Pattern.quote(secret);
        return Pattern.compile(whole, Pattern.CASE_INSENSITIVE)
                .matcher(sentence)
                .replaceAll(Secret.MASK.replace("*", "\\*"));
    }

    private static boolean shares(String secret, String sentence) {
        if (secret.length() < TELLING) {
            return !without(secret, sentence).equals(sentence);
        }
        String lower = sentence.toLowerCase(Locale.ROOT);
        for (int i = 0; i + TELLING <= secret.length(); i++) {
            if (lower.contains(secret.substring(i, i + TELLING).toLowerCase(Locale.ROOT))) {
                return true;
            }
        }
        return false;
    }
}
