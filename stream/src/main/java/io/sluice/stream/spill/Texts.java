package io.sluice.stream.spill;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Texts as bytes: of each its length i32, −1 for null, and its UTF-16 units, so that any text is the same when it is read. */
final class Texts {
    private Texts() {}

    static byte[] bytes(@Nullable String... texts) {
        int size = 0;
        for (String text : texts) {
            size += Integer.BYTES + (text == null ? 0 : Character.BYTES * text.length());
        }
        ByteBuffer out = ByteBuffer.allocate(size);
        for (String text : texts) {
            out.putInt(text == null ? -1 : text.length());
            if (text != null) {
                out.asCharBuffer().put(text);
                out.position(out.position() + Character.BYTES * text.length());
            }
        }
        return out.array();
    }

    /** Reads the next text. */
    static @Nullable String next(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0) {
            return null;
        }
        char[] units = new char[length];
        in.asCharBuffer().get(units);
        in.position(in.position() + Character.BYTES * length);
        return new String(units);
    }

    /** Reads the next text, which is not null. */
    static String required(ByteBuffer in) {
        String text = next(in);
        if (text == null) {
            throw new IllegalStateException("a text is missing");
        }
        return text;
    }
}
