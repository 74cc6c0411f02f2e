package io.sluice.format.value;

import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.charset.MySqlCharsets;
import io.sluice.mysql.charset.TextDecoder;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A JSON document in MySQL's binary form, written as text.
 *
 * <pre>
 *   document:  type u8, value
 *   object:    count, size, count × (key offset, key length u16), count × (type u8, offset or value), keys, values
 *   array:     count, size, count × (type u8, offset or value), values
 * </pre>
 *
 * <p>Counts, sizes and offsets are u16 in the small forms and u32 in the large ones; offsets count from the container's
 * first byte. Literals and the numbers that fit are in place of their offset. Source: MySQL's {@code json_binary.h}
 * documentation.
 *
 * <p>Offsets of damaged documents may form cycles: every element, and every byte of a string, is paid from a budget of
 * the document's own length.
 */
final class JsonDocument {
    private static final int SMALL_OBJECT = 0;
    private static final int LARGE_OBJECT = 1;
    private static final int SMALL_ARRAY = 2;
    private static final int LARGE_ARRAY = 3;
    private static final int LITERAL = 4;
    private static final int INT16 = 5;
    private static final int UINT16 = 6;
    private static final int INT32 = 7;
    private static final int UINT32 = 8;
    private static final int INT64 = 9;
    private static final int UINT64 = 10;
    private static final int DOUBLE = 11;
    private static final int STRING = 12;
    private static final int OPAQUE = 15;

    private static final int TYPE_TIMESTAMP = 7;
    private static final int TYPE_DATE = 10;
    private static final int TYPE_TIME = 11;
    private static final int TYPE_DATETIME = 12;
    private static final int TYPE_NEWDECIMAL = 246;

    /** MySQL allows 100 levels. */
    static final int DEEPEST = 128;

    /** How many bytes are in a line of Base64, which has 76 characters. */
    private static final int BYTES_OF_LINE = 57;

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private static final TextDecoder UTF8 = Objects.requireNonNull(MySqlCharsets.decoder("utf8mb4"));

    private final byte[] bytes;
    private final int start;
    private final int end;
    private final JsonForm form;
    private final ByteWriter text = new ByteWriter(64);
    private long budget;

    JsonDocument(byte[] bytes, int start, int end, JsonForm form) {
        this.bytes = bytes;
        this.start = start;
        this.end = end;
        this.form = form;
        this.budget = (long) end - start + 1;
    }

    /** Appends the document; nothing if it has no bytes, as an update may leave it. */
    void writeText(ByteWriter out) {
        if (start < end) {
            writeValue(bytes[start] & 0xFF, start + 1, 0, out);
        }
    }

    /** Appends an element and all below it; {@code depth} is how many containers it is in. */
    void writeValue(int type, int at, int depth, ByteWriter out) {
        pay(1);
        switch (type) {
            case SMALL_OBJECT -> writeContainer(at, 2, true, depth, out);
            case LARGE_OBJECT -> writeContainer(at, 4, true, depth, out);
            case SMALL_ARRAY -> writeContainer(at, 2, false, depth, out);
            case LARGE_ARRAY -> writeContainer(at, 4, false, depth, out);
            case LITERAL -> writeLiteral((int) number(at, 1), out);
            case INT16 -> Digits.writeLong(out, number(at, 2) << 48 >> 48);
            case UINT16 -> Digits.writeLong(out, number(at, 2));
            case INT32 -> Digits.writeLong(out, number(at, 4) << 32 >> 32);
            case UINT32 -> Digits.writeLong(out, number(at, 4));
            case INT64 -> Digits.writeLong(out, number(at, 8));
            case UINT64 -> Digits.writeUnsigned(out, number(at, 8));
            case DOUBLE -> FloatingType.writeDouble(Double.longBitsToDouble(number(at, 8)), out);
            case STRING -> {
                long length = variableLength(at);
                writeString(at + variableLengthBytes(at), length, out);
            }
            case OPAQUE -> writeOpaque(at, out);
            default -> throw malformed("an element of the unknown type " + type);
        }
    }

    private void writeContainer(int at, int width, boolean object, int depth, ByteWriter out) {
        if (depth >= DEEPEST) {
            throw malformed("more than " + DEEPEST + " levels");
        }
        Container container = open(at, width, object);
        out.writeByte(object ? '{' : '[');
        for (int i = 0; i < container.count; i++) {
            if (i > 0) {
                out.writeByte(',');
                out.writeByte(' ');
            }
            if (object) {
                writeString(keyAt(container, i), keyLength(container, i), out);
                out.writeByte(':');
                out.writeByte(' ');
            }
            writeValue(elementType(container, i), elementAt(container, i), depth + 1, out);
        }
        out.writeByte(object ? '}' : ']');
    }

    /**
     * An object or an array.
     *
     * @param at where it starts
     * @param width how many bytes its numbers take, 2 or 4
     * @param valuesAt where its list of elements starts
     */
    record Container(int at, int width, boolean object, int count, long size, int valuesAt) {
        private int entryBytes() {
            return 1 + width;
        }
    }

    /** The object or array that an element of this type is; null if it is neither. */
    @Nullable Container container(int type, int at) {
        return switch (type) {
            case SMALL_OBJECT -> open(at, 2, true);
            case LARGE_OBJECT -> open(at, 4, true);
            case SMALL_ARRAY -> open(at, 2, false);
            case LARGE_ARRAY -> open(at, 4, false);
            default -> null;
        };
    }

    private Container open(int at, int width, boolean object) {
        long count = number(at, width);
        long size = number(at + width, width);
        int keyBytes = object ? width + 2 : 0;
        long header = 2L * width + count * (1 + width + keyBytes);
        if (size < header || size > end - at) {
            throw malformed(
                    "a container of %d elements in %d bytes, where %d are left".formatted(count, size, end - at));
        }
        return new Container(at, width, object, (int) count, size, (int) (at + 2 * width + count * keyBytes));
    }

    private int keyEntry(Container container, int index) {
        return container.at + 2 * container.width + index * (container.width + 2);
    }

    /** Where an object's key is. */
    int keyAt(Container container, int index) {
        return within(container, number(keyEntry(container, index), container.width));
    }

    int keyLength(Container container, int index) {
        return (int) number(keyEntry(container, index) + container.width, 2);
    }

    /** A copy of an object's key. */
    byte[] key(Container container, int index) {
        int at = keyAt(container, index);
        int length = keyLength(container, index);
        need(at, length);
        pay(length);
        return Arrays.copyOfRange(bytes, at, at + length);
    }

    /** The type of an element. */
    int elementType(Container container, int index) {
        return (int) number(container.valuesAt + index * container.entryBytes(), 1);
    }

    /** Where an element's value is. */
    int elementAt(Container container, int index) {
        int width = container.width;
        int entry = container.valuesAt + index * container.entryBytes();
        int type = (int) number(entry, 1);
        boolean inPlace =
                type == LITERAL || type == INT16 || type == UINT16 || width == 4 && (type == INT32 || type == UINT32);
        return inPlace ? entry + 1 : within(container, number(entry + 1, width));
    }

    private int within(Container container, long offset) {
        if (offset > container.size) { // an empty key may be at the very end
            throw malformed("an offset of %d in a container of %d bytes".formatted(offset, container.size));
        }
        return (int) (container.at + offset);
    }

    /** The type of the whole document. */
    int rootType() {
        return (int) number(start, 1);
    }

    /** Where the whole document's value is. */
    int rootAt() {
        return start + 1;
    }

    private void writeLiteral(int literal, ByteWriter out) {
        switch (literal) {
            case 0 -> out.writeAscii("null");
            case 1 -> out.writeAscii("true");
            case 2 -> out.writeAscii("false");
            default -> throw malformed("the unknown literal " + literal);
        }
    }

    private void writeOpaque(int at, ByteWriter out) {
        int type = (int) number(at, 1);
        long length = variableLength(at + 1);
        int from = at + 1 + variableLengthBytes(at + 1);
        need(from, length);
        switch (type) {
            case TYPE_NEWDECIMAL -> {
                if (length < 2) {
                    throw malformed("a decimal of %d bytes".formatted(length));
                }
                DecimalType decimal = decimal(bytes[from] & 0xFF, bytes[from + 1] & 0xFF);
                if (decimal.fixedLength() > length - 2) {
                    throw malformed("a decimal of %d bytes".formatted(length));
                }
                decimal.writeText(bytes, from + 2, decimal.fixedLength(), out);
            }
            case TYPE_TIME -> writeTime(number(from, 8), out);
            case TYPE_DATE, TYPE_DATETIME, TYPE_TIMESTAMP -> writeDateTime(number(from, 8), type == TYPE_DATE, out);
            default -> {
                if (form.exactBinary()) {
                    writeBinary(type, from, (int) length, out);
                } else {
                    writeString(from, length, out);
                }
            }
        }
    }

    /** As the server shows it, which breaks the lines of the Base64. */
    private void writeBinary(int type, int from, int length, ByteWriter out) {
        pay(length);
        out.writeByte('"');
        out.writeAscii("base64:type");
        Digits.writeLong(out, type);
        out.writeByte(':');
        for (int at = 0; at < length; at += BYTES_OF_LINE) {
            if (at > 0) {
                out.writeAscii("\\n");
            }
            byte[] line = Arrays.copyOfRange(bytes, from + at, from + Math.min(length, at + BYTES_OF_LINE));
            out.write(Base64.getEncoder().encode(line));
        }
        out.writeByte('"');
    }

    private DecimalType decimal(int precision, int scale) {
        try {
            return new DecimalType(precision, scale, form.exactDecimals());
        } catch (MalformedEventException e) {
            throw new MalformedEventException("a JSON value cannot be read: " + e.getMessage(), e);
        }
    }

    private static void writeTime(long packed, ByteWriter out) {
        out.writeByte('"');
        if (packed == 0) {
            out.writeAscii("00:00:00");
        } else {
            long size = Math.abs(packed);
            if (packed < 0) {
                out.writeByte('-');
            }
            out.ensure(Temporal.ROOM);
            int end = Temporal.putPackedTime(out.array(), out.size(), size >> 24);
            out.setSize(Temporal.putFraction(out.array(), end, size & 0xFF_FFFF, 6));
        }
        out.writeByte('"');
    }

    private static void writeDateTime(long packed, boolean dateOnly, ByteWriter out) {
        out.writeByte('"');
        out.ensure(Temporal.ROOM);
        int from = out.size();
        long size = Math.abs(packed);
        int end = Temporal.putPackedDateTime(out.array(), from, size >> 24);
        if (dateOnly) {
            end = from + "yyyy-mm-dd".length();
        } else if (packed != 0) {
            end = Temporal.putFraction(out.array(), end, size & 0xFF_FFFF, 6);
        }
        out.setSize(end);
        out.writeByte('"');
    }

    private void writeString(int at, long length, ByteWriter out) {
        need(at, length);
        pay(length);
        text.clear();
        UTF8.decode(bytes, at, (int) length, text);
        writeQuoted(text.array(), text.size(), out);
    }

    /** Appends a JSON string of UTF-8. */
    static void writeQuoted(byte[] bytes, int to, ByteWriter out) {
        out.writeByte('"');
        int plainFrom = 0;
        for (int i = 0; i < to; i++) {
            byte octet = bytes[i];
            boolean control = octet >= 0 && octet < ' ' || octet == 0x7F;
            boolean c1 = octet == (byte) 0xC2
                    && i + 1 < to
                    && (bytes[i + 1] & 0xFF) >= 0x80
                    && (bytes[i + 1] & 0xFF) <= 0xA0;
            if (control || c1 || octet == '"' || octet == '\\') {
                out.write(bytes, plainFrom, i - plainFrom);
                if (c1) {
                    i++;
                }
                writeEscape(bytes[i] & 0xFF, out);
                plainFrom = i + 1;
            }
        }
        out.write(bytes, plainFrom, to - plainFrom);
        out.writeByte('"');
    }

    private static void writeEscape(int character, ByteWriter out) {
        out.writeByte('\\');
        switch (character) {
            case '"', '\\' -> out.writeByte(character);
            case '\n' -> out.writeByte('n');
            case '\r' -> out.writeByte('r');
            case '\t' -> out.writeByte('t');
            default -> {
                out.writeAscii("u00");
                out.writeByte(HEX[character >> 4]);
                out.writeByte(HEX[character & 0xF]);
            }
        }
    }

    /** A length of one to five bytes, seven bits each, low ones first; the upper bit means that more follow. */
    private long variableLength(int at) {
        long length = 0;
        for (int i = 0; i < 5; i++) {
            long octet = number(at + i, 1);
            length |= (octet & 0x7F) << 7 * i;
            if (octet < 0x80) {
                return length;
            }
        }
        throw malformed("a length of more than five bytes");
    }

    private int variableLengthBytes(int at) {
        int count = 1;
        while (bytes[at + count - 1] < 0) {
            count++;
        }
        return count;
    }

    private long number(int at, int length) {
        need(at, length);
        return Bytes.readLittle(bytes, at, length);
    }

    private void need(int at, long length) {
        if (at < start || length > end - at) {
            throw malformed("%d bytes at %d of %d".formatted(length, at - start, end - start));
        }
    }

    /** Takes from the budget. */
    void pay(long cost) {
        budget -= cost;
        if (budget < 0) {
            throw malformed("elements that overlap");
        }
    }

    static MalformedEventException malformed(String what) {
        return new MalformedEventException("a JSON value cannot be read: it holds " + what);
    }
}
