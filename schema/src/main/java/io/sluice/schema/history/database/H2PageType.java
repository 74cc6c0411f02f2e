package io.sluice.schema.history.database;

import java.nio.ByteBuffer;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/** Reads the keys or values of a page of an H2 file. A length is compared with what the page has before memory is allocated for it, which H2 does not do. */
abstract class H2PageType<T> extends BasicDataType<T> {
    /** A page of H2 has some kilobytes, so a few thousand of them at most. */
    private static final int MAX_ELEMENTS = 1 << 20;

    /** Reads keys that are texts. */
    static final class Texts extends H2PageType<String> {
        @Override
        public String read(ByteBuffer buffer) {
            return text(buffer);
        }
    }

    /** Reads keys that are numbers. */
    static final class Longs extends H2PageType<Long> {
        @Override
        public Long read(ByteBuffer buffer) {
            return DataUtils.readVarLong(buffer);
        }
    }

    /** Reads a length and a text. */
    static String text(ByteBuffer buffer) {
        return text(buffer, DataUtils.readVarInt(buffer));
    }

    /** Reads a text, of which each character has at least one byte. */
    static String text(ByteBuffer buffer, int chars) {
        requireThere(buffer, chars);
        return DataUtils.readString(buffer, chars);
    }

    static void requireThere(ByteBuffer buffer, int elements) {
        if (elements < 0 || elements > buffer.remaining()) {
            throw new IllegalArgumentException("a length in it is %s, and %d bytes follow in its page"
                    .formatted(Integer.toUnsignedString(elements), buffer.remaining()));
        }
    }

    @Override
    public void write(WriteBuffer buffer, T value) {
        throw new UnsupportedOperationException("the file is read only");
    }

    @Override
    public int getMemory(T value) {
        return 0;
    }

    @Override
    @SuppressWarnings("unchecked") // as erased, the array is one of objects
    public T[] createStorage(int size) {
        if (size < 0 || size > MAX_ELEMENTS) {
            throw new IllegalArgumentException(
                    "a page of it states that it has %s elements".formatted(Integer.toUnsignedString(size)));
        }
        return (T[]) new Object[size];
    }
}
