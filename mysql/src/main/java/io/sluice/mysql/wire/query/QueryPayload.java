package io.sluice.mysql.wire.query;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** A payload that ends with a text in UTF-8, which is in memory once only, besides the text: it may be that of all tables. */
public final class QueryPayload {
    private static final byte[] REPLACEMENT = {'?'};

    private QueryPayload() {}

    /** The payload of a command with a text. */
    public static byte[] of(int command, String text) {
        byte[] payload = new byte[Math.toIntExact(1 + length(text))];
        payload[0] = (byte) command;
        CharsetEncoder encoder = StandardCharsets.UTF_8
                .newEncoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE)
                .replaceWith(REPLACEMENT);
        ByteBuffer to = ByteBuffer.wrap(payload, 1, payload.length - 1);
        encoder.encode(CharBuffer.wrap(text), to, true);
        encoder.flush(to);
        return payload;
    }

    /** How many bytes a text has in UTF-8; half of a surrogate pair becomes a question mark, as in Java. */
    public static long length(String text) {
        long bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 2; // four for two
                i++;
            } else if (c >= 0x800 && !Character.isSurrogate(c)) {
                bytes += 2;
            } else if (c >= 0x80 && !Character.isSurrogate(c)) {
                bytes++;
            }
        }
        return bytes;
    }
}
