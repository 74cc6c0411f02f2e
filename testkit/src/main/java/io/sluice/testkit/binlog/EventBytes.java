package io.sluice.testkit.binlog;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The body of an event while it is written: integers are little-endian. */
public final class EventBytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** Appends an integer of some bytes, 1 to 8. */
    public EventBytes number(long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            out.write((int) (value >>> 8 * i));
        }
        return this;
    }

    /** Appends bytes. */
    public EventBytes raw(byte[] bytes) {
        out.write(bytes, 0, bytes.length);
        return this;
    }

    /** Appends a text in UTF-8. */
    public EventBytes text(String text) {
        return raw(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Appends a length-encoded integer. */
    public EventBytes packed(long value) {
        if (value < 251) {
            return number(value, 1);
        }
        return value < 1 << 16
                ? number(252, 1).number(value, 2)
                : number(253, 1).number(value, 3);
    }

    /** What was appended. */
    public byte[] toByteArray() {
        return out.toByteArray();
    }
}
