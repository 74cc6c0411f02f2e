package io.sluice.format.entry;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;

/**
 * The name of a column's type as ready bytes; shared by columns that have it.
 *
 * @param protobuf the field {@code mysqlType}
 * @param json a string
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record TypeTexts(byte[] protobuf, byte[] json) {
    private static final int TAG_MYSQL_TYPE = 0x52;

    static TypeTexts of(String mysqlType) {
        ByteWriter out = new ByteWriter(32);
        ProtobufFields.writeString(out, TAG_MYSQL_TYPE, mysqlType.getBytes(StandardCharsets.UTF_8));
        return new TypeTexts(out.toByteArray(), JsonString.bytesOf(mysqlType));
    }

    /** How much memory they take, roughly. */
    int heapBytes() {
        return HeapBytes.of(protobuf) + HeapBytes.of(json);
    }
}
