package io.sluice.mysql.wire.packet;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;

/** Builds the payload of a packet to send, field by field. Integers are little-endian. For one thread; each method returns this builder. */
public final class PayloadBuilder {
    private final ByteWriter bytes = new ByteWriter(64);

    /** The low byte of {@code value}. */
    public PayloadBuilder int1(int value) {
        bytes.writeByte(value);
        return this;
    }

    /** The low two bytes of {@code value}. */
    public PayloadBuilder int2(int value) {
        return int1(value).int1(value >>> 8);
    }

    /** The low four bytes of {@code value}. */
    public PayloadBuilder int4(long value) {
        return int2((int) value).int2((int) (value >>> 16));
    }

    /** As many bytes of zero, none if {@code count} is 0. */
    public PayloadBuilder zeroes(int count) {
        for (int i = 0; i < count; i++) {
            bytes.writeByte(0);
        }
        return this;
    }

    /** The bytes as they are, without their length. */
    public PayloadBuilder raw(byte[] value) {
        bytes.write(value);
        return this;
    }

    /** Text in UTF-8 to the packet's end. */
    public PayloadBuilder text(String value) {
        return raw(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Text in UTF-8 and a NUL. The text must hold no NUL itself. */
    public PayloadBuilder textAndNul(String value) {
        return text(value).int1(0);
    }

    /**
     * Text in UTF-8 after its length in one byte.
     *
     * @throws IllegalArgumentException if it has more than 255 bytes
     */
    public PayloadBuilder shortText(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        if (utf8.length > 255) {
            throw new IllegalArgumentException("text is longer than 255 bytes: " + utf8.length);
        }
        return int1(utf8.length).raw(utf8);
    }

    /**
     * Up to 65535 bytes after their length-encoded length, which is a single byte up to 250.
     *
     * @throws IllegalArgumentException if there are more
     */
    public PayloadBuilder lengthEncoded(byte[] value) {
        if (value.length > 0xFFFF) {
            throw new IllegalArgumentException("field is longer than 65535 bytes: " + value.length);
        }
        return (value.length <= 250 ? int1(value.length) : int1(0xFC).int2(value.length)).raw(value);
    }

    /** A copy of what was built; may be empty. */
    public byte[] build() {
        return bytes.toByteArray();
    }
}
