package io.sluice.mysql.transaction;

import io.sluice.mysql.binlog.XaPrepareEvent;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The identifier of an XA transaction, by value: {@code 'a'}, {@code X'61'} and {@code 0x61,'',1} are equal.
 *
 * @param gtrid the global transaction id, in hexadecimal digits of lower case
 * @param bqual the branch qualifier, likewise; empty by default
 * @param formatId the format; 1 by default
 */
public record Xid(String gtrid, String bqual, int formatId) {
    private static final int DEFAULT_FORMAT_ID = 1;

    /** The xid of an {@code XA_PREPARE_LOG_EVENT}. */
    public static Xid of(XaPrepareEvent event) {
        return new Xid(
                HexFormat.of().formatHex(event.gtrid()), HexFormat.of().formatHex(event.bqual()), event.formatId());
    }

    /**
     * Parses the text after {@code XA COMMIT} or {@code XA ROLLBACK}; {@code ONE PHASE} at its end is left out.
     *
     * @return null if it is no xid
     */
    public static @Nullable Xid parse(String text) {
        Parser parser = new Parser(text);
        String gtrid = parser.string();
        String bqual = "";
        long formatId = DEFAULT_FORMAT_ID;
        if (gtrid != null && parser.comma()) {
            bqual = parser.string();
            if (bqual != null && parser.comma()) {
                formatId = parser.number();
            }
        }
        if (gtrid == null || bqual == null || formatId == Parser.NO_NUMBER || !parser.isAtEnd()) {
            return null;
        }
        return new Xid(gtrid, bqual, (int) formatId);
    }

    /** As the servers write it to the binlog, and as SQL accepts it. */
    @Override
    public String toString() {
        return "X'%s',X'%s',%d".formatted(gtrid, bqual, formatId);
    }

    /** Reads the parts of an xid one after the other. */
    private static final class Parser {
        static final long NO_NUMBER = Long.MIN_VALUE;

        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        private void skipBlanks() {
            while (at < text.length() && text.charAt(at) <= ' ') {
                at++;
            }
        }

        private boolean isAt(char expected) {
            return at < text.length() && text.charAt(at) == expected;
        }

        boolean comma() {
            skipBlanks();
            boolean isComma = isAt(',');
            at += isComma ? 1 : 0;
            return isComma;
        }

        boolean isAtEnd() {
            String rest = text.substring(at).strip().toUpperCase(Locale.ROOT);
            return rest.isEmpty() || rest.matches("ONE\\s+PHASE|;");
        }

        /** The hexadecimal digits of a literal; null if there is none. */
        @Nullable String string() {
            skipBlanks();
            if (isAt('\'') || isAt('"')) {
                return quoted();
            }
            if (text.regionMatches(true, at, "x'", 0, 2)) {
                int end = text.indexOf('\'', at + 2);
                return end < 0 ? null : digits(at + 2, end, end + 1);
            }
            if (text.regionMatches(true, at, "0x", 0, 2)) {
                int end = at + 2;
                while (end < text.length() && Character.digit(text.charAt(end), 16) >= 0) {
                    end++;
                }
                return digits(at + 2, end, end);
            }
            return null;
        }

        private @Nullable String digits(int from, int end, int next) {
            String digits = text.substring(from, end).toLowerCase(Locale.ROOT);
            at = next;
            String even = digits.length() % 2 == 0 ? digits : "0" + digits;
            return even.chars().allMatch(c -> Character.digit(c, 16) >= 0) ? even : null;
        }

        private @Nullable String quoted() {
            char quote = text.charAt(at++);
            StringBuilder value = new StringBuilder();
            while (at < text.length()) {
                char c = text.charAt(at++);
                if (c == quote) {
                    if (!isAt(quote)) {
                        return HexFormat.of().formatHex(value.toString().getBytes(StandardCharsets.UTF_8));
                    }
                    at++;
                } else if (c == '\\' && at < text.length()) {
                    c = text.charAt(at++);
                }
                value.append(c);
            }
            return null;
        }

        long number() {
            skipBlanks();
            int from = at;
            if (isAt('-')) {
                at++;
            }
            while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                at++;
            }
            try {
                return Long.parseLong(text, from, at, 10);
            } catch (NumberFormatException e) {
                return NO_NUMBER;
            }
        }
    }
}
