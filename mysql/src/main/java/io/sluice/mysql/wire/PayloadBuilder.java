package io.sluice.mysql.wire;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;

/** Builds the payload of a packet to send, field by field. Integers are little-endian. */
final class PayloadBuilder {
    private final ByteWriter bytes = new ByteWriter(64);

    PayloadBuilder int1(int value) {
        bytes.writeByte(value);
        return this;
    }

    PayloadBuilder int2(int value) {
        return int1(value).int1(value >>> 8);
    }

    /** The low four bytes of {@code value}. */
    PayloadBuilder int4(long value) {
        return int2((int) value).int2((int) (value >>> 16));
    }

    PayloadBuilder zeroes(int count) {
        for (int i = 0; i < count; i++) {
            bytes.writeByte(0);
        }
        return this;
    }

    PayloadBuilder raw(byte[] value) {
        bytes.write(value);
        return this;
    }

    /** Text in UTF-8 to the packet's end. */
    PayloadBuilder text(String value) {
        return raw(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Text in UTF-8 and a NUL. The text must hold no NUL itself. */
    PayloadBuilder textAndNul(String value) {
        return text(value).int1(0);
    }

    /** Text in UTF-8 after its length in one byte. */
    PayloadBuilder shortText(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        if (utf8.length > 255) {
            throw new IllegalArgumentException("text is longer than 255 bytes: " + utf8.length);
        }
        return int1(utf8.length).raw(utf8);
    }

    /** Up to 65535 bytes after their length-encoded length, which is a single byte up to 250. */
    PayloadBuilder lengthEncoded(byte[] value) {
        if (value.length > 0xFFFF) {
            throw new IllegalArgumentException("field is longer than 65535 bytes: " + value.length);
        }
        return (value.length <= 250 ? int1(value.length) : int1(0xFC).int2(value.length)).raw(value);
    }

    byte[] build() {
        return bytes.toByteArray();
    }
}
