package io.sluice.format.entry;

import io.sluice.mysql.charset.JsonEscapes;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;

/** JSON strings with the {@linkplain JsonEscapes escapes} that canal's flat messages have. */
final class JsonString {
    private JsonString() {}

    /** Appends {@code text} in quotes. */
    static void write(ByteWriter out, String text) {
        out.writeByte('"');
        int from = out.size();
        out.write(text.getBytes(StandardCharsets.UTF_8));
        escapeFrom(out, from);
        out.writeByte('"');
    }

    /** The bytes of {@code text} in quotes. */
    static byte[] bytesOf(String text) {
        ByteWriter out = new ByteWriter(text.length() + 16);
        write(out, text);
        return out.toByteArray();
    }

    /** Escapes, in place, what was written from {@code from} on. */
    static void escapeFrom(ByteWriter out, int from) {
        int first = JsonEscapes.first(out.array(), from, out.size());
        if (first < out.size()) {
            escapeRest(out, first);
        }
    }

    private static void escapeRest(ByteWriter out, int first) {
        int end = out.size();
        int more = 0;
        byte[] bytes = out.array();
        for (int i = first; i < end; i++) {
            more = Math.addExact(more, JsonEscapes.length(bytes[i]) - 1);
        }
        out.ensure(more);
        bytes = out.array();
        int to = end + more;
        out.setSize(to);
        for (int i = end - 1; i >= first; i--) {
            byte octet = bytes[i];
            int length = JsonEscapes.length(octet);
            to -= length;
            if (length == 1) {
                bytes[to] = octet;
            } else {
                JsonEscapes.put(octet, bytes, to);
            }
        }
    }
}
