package io.sluice.server.config.text;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** All pieces of a sentence that would reveal a part of a secret. */
final class SecretPieces {
    /** Shorter pieces of a secret are in many sentences by chance. */
    static final int TELLING = 4;

    private final Set<String> pieces = new HashSet<>();
    private final Set<String> words = new HashSet<>();

    /** @param sentence whose pieces these are; its length counts several times */
    SecretPieces(String sentence) {
        String lower = sentence.toLowerCase(Locale.ROOT);
        for (int start = 0; start < lower.length(); start++) {
            if (start + TELLING <= lower.length()) {
                pieces.add(lower.substring(start, start + TELLING));
            }
            for (int end = start + 1; end < start + TELLING && end <= lower.length(); end++) {
                if (isWhole(lower, start, end)) {
                    words.add(lower.substring(start, end));
                }
            }
        }
    }

    /** Whether a secret, or a part of it that reveals something, is in the sentence; a short one counts if it is there as a word. */
    boolean haveOneOf(String secret) {
        String lower = secret.toLowerCase(Locale.ROOT);
        if (lower.length() < TELLING) {
            return words.contains(lower);
        }
        for (int start = 0; start + TELLING <= lower.length(); start++) {
            if (pieces.contains(lower.substring(start, start + TELLING))) {
                return true;
            }
        }
        return false;
    }

    /** Whether there is no letter or digit beside a part of a text. */
    static boolean isWhole(String text, int start, int end) {
        return (start == 0 || !isAlphanumeric(text.charAt(start - 1)))
                && (end == text.length() || !isAlphanumeric(text.charAt(end)));
    }

    private static boolean isAlphanumeric(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
    }
}
