package io.sluice.mysql.binlog;

/**
 * A {@code TRANSACTION_PAYLOAD_EVENT} of MySQL 8.0.20 and later: the events of one transaction, compressed together.
 *
 * <pre>
 *   +------+--------+-------+--------      +----------+---------+
 *   | type | length | value | ...          | type = 0 | payload, to end
 *   | lenc | lenc   | lenc  |              |          |
 *   +------+--------+-------+--------      +----------+---------+
 * </pre>
 *
 * <p>The events in it have neither checksums nor offsets of their own. Source: MySQL's source code documentation,
 * "Transaction_payload_event".
 *
 * @param zstd whether it is compressed with Zstandard; if not, it is as it is
 * @param unpackedBytes how long its events are together, as the event states it; −1 if it does not
 * @param packed the payload, or its first bytes
 */
public record TransactionPayload(boolean zstd, long unpackedBytes, EventBody packed) {
    private static final int END = 0;
    private static final int PACKED_SIZE = 1;
    private static final int COMPRESSION = 2;
    private static final int UNPACKED_SIZE = 3;

    private static final int ZSTD = 0;
    private static final int NONE = 255;

    /** Decodes the event without header and checksum. */
    public static TransactionPayload decode(EventBody body) {
        return decode(body, 0);
    }

    /**
     * Decodes the first bytes of the event.
     *
     * @param beyond how many bytes are after them, without the checksum
     */
    public static TransactionPayload decode(EventBody body, long beyond) {
        long packedBytes = -1;
        long unpackedBytes = -1;
        long compression = NONE;
        for (long type = body.readPackedLong(); type != END; type = body.readPackedLong()) {
            EventBody value = body.slice(body.readPackedLong());
            if (type == PACKED_SIZE) {
                packedBytes = value.readPackedLong();
            } else if (type == COMPRESSION) {
                compression = value.readPackedLong();
            } else if (type == UNPACKED_SIZE) {
                unpackedBytes = value.readPackedLong();
            }
        }
        if (compression != ZSTD && compression != NONE) {
            throw new MalformedEventException(
                    "a transaction payload is compressed in the unknown way %d".formatted(compression));
        }
        if (packedBytes != -1 && packedBytes != body.remaining() + beyond) {
            throw new MalformedEventException("a transaction payload states %d bytes, it has %d"
                    .formatted(packedBytes, body.remaining() + beyond));
        }
        return new TransactionPayload(compression == ZSTD, unpackedBytes, body.slice(body.remaining()));
    }
}
