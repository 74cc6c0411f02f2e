package io.sluice.format.value;

import io.sluice.mysql.charset.JsonEscapes;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;

/** Writes JSON, with the {@linkplain JsonEscapes escapes} in strings that canal's flat messages have. */
public final class JsonText {
    private JsonText() {}

    /** Appends {@code text} as a string. */
    public static void writeString(ByteWriter out, String text) {
        out.writeByte('"');
        int from = out.size();
        out.write(text.getBytes(StandardCharsets.UTF_8));
        escapeFrom(out, from);
        out.writeByte('"');
    }

    /** The bytes of {@code text} as a string. */
    public static byte[] stringOf(String text) {
        ByteWriter out = new ByteWriter(text.length() + 16);
        writeString(out, text);
        return out.toByteArray();
    }

    /** Escapes, in place, what was written from {@code from} on. */
    public static void escapeFrom(ByteWriter out, int from) {
        int first = JsonEscapes.first(out.array(), from, out.size());
        if (first < out.size()) {
            escapeRest(out, first);
        }
    }

    /** Makes an object of the members that were written from {@code start} on, each with a comma in front. */
    public static void closeObject(ByteWriter out, int start) {
        if (out.size() == start) {
            out.writeByte('{');
        } else {
            out.array()[start] = '{'; // in place of the first member's comma
        }
        out.writeByte('}');
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
