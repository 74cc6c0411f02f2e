package io.sluice.admin.config;

import io.sluice.server.config.text.Masking;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Properties;

/**
 * What differs between two texts, line by line, without secrets: the lines that both begin with, and those that both end with, are left
 * out. Of many lines the first ones are there; no others are masked, since that is done while the database waits.
 *
 * @param before the lines that were there
 * @param after the lines that are there now
 */
record ChangedLines(String before, String after) {
    private static final int MAX_LENGTH = 20_000;

    static ChangedLines of(String before, String after) {
        List<String> old = before.lines().toList();
        List<String> now = after.lines().toList();
        int start = 0;
        while (start < Math.min(old.size(), now.size()) && old.get(start).equals(now.get(start))) {
            start++;
        }
        int end = 0;
        while (end < Math.min(old.size(), now.size()) - start
                && old.get(old.size() - 1 - end).equals(now.get(now.size() - 1 - end))) {
            end++;
        }
        return new ChangedLines(masked(old, start, old.size() - end), masked(now, start, now.size() - end));
    }

    /** Returns a whole text without secrets; of a long one, the beginning. */
    static String masked(String text) {
        List<String> lines = text.lines().toList();
        return masked(lines, 0, lines.size());
    }

    /** Lines are masked as a part of their text, since a secret may be continued in the next line. */
    private static String masked(List<String> lines, int start, int end) {
        MaskedLines masking = new MaskedLines();
        lines.subList(0, start).forEach(masking::skip);
        StringBuilder masked = new StringBuilder();
        int next = start;
        while (next < end && masked.length() <= MAX_LENGTH) {
            masked.append(next == start ? "" : "\n").append(masking.masked(lines.get(next)));
            next++;
        }
        if (masked.length() > MAX_LENGTH) {
            int length = masked.length();
            masked.setLength(Character.isHighSurrogate(masked.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH);
            masked.append("…\n(%d more characters of this line, %d more lines)"
                    .formatted(length - masked.length(), end - next));
        }
        return masked.toString();
    }

    /** Masks a text line by line; it is given all of them, in order. */
    private static final class MaskedLines {
        private static final String UNREADABLE = "secret";

        private boolean continued;
        private String key = "";

        /** Takes a line that is not shown. */
        void skip(String line) {
            if (continued || endsInOddBackslashes(line)) {
                String unused = masked(line); // its key is that of the next line
            }
        }

        String masked(String line) {
            boolean first = !continued;
            String start = line.stripLeading();
            boolean comment = first && (start.startsWith("#") || start.startsWith("!"));
            continued = !comment && endsInOddBackslashes(line);
            if (!first) {
                return Masking.shown(key, line);
            }
            // What is commented out is masked, too: it was a setting once.
            int from = line.length() - start.length();
            while (comment && from < line.length() && "#! \t".indexOf(line.charAt(from)) >= 0) {
                from++;
            }
            int at = from;
            while (at < line.length() && "=: \t\f".indexOf(line.charAt(at)) < 0) {
                at += line.charAt(at) == '\\' ? 2 : 1;
            }
            boolean isKeyContinued = continued && at >= line.length();
            key = isKeyContinued ? UNREADABLE : unescaped(line.substring(from, Math.min(at, line.length())));
            int value = Math.min(at, line.length());
            while (value < line.length() && "=: \t\f".indexOf(line.charAt(value)) >= 0) {
                value++;
            }
            return line.substring(0, value) + Masking.shown(key, line.substring(value));
        }

        /** The key as it counts; one that cannot be read is taken for a secret's, and so is one that is continued in the next line. */
        private static String unescaped(String written) {
            Properties one = new Properties();
            try {
                one.load(new StringReader(written));
            } catch (IOException | IllegalArgumentException e) {
                return UNREADABLE;
            }
            return one.stringPropertyNames().stream().findFirst().orElse("");
        }

        private static boolean endsInOddBackslashes(String line) {
            int at = line.length();
            while (at > 0 && line.charAt(at - 1) == '\\') {
                at--;
            }
            return (line.length() - at) % 2 == 1;
        }
    }
}
