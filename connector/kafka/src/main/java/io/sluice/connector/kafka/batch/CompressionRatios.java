package io.sluice.connector.kafka.batch;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How large the batches of each topic become by compression, so that as many records are put into one as a broker takes.
 *
 * <p>A batch that is compressed less than those before it counts at once; one that is compressed more counts for a sixteenth. So few
 * batches become too large, and have to be written again. Thread-safe.
 */
final class CompressionRatios {
    /** A batch has no more bytes without compression: it is kept in memory once more while it is compressed. */
    static final int MAX_UNCOMPRESSED_BYTES = 4 << 20;

    /** This part of a limit is aimed at. */
    private static final double FILL = 0.95;

    private static final double WEIGHT_OF_LESS = 1.0 / 16;

    private final Map<String, Double> ratios = new ConcurrentHashMap<>();

    /** How many bytes without compression come to a limit with it; the limit itself as long as no batch of the topic is known. */
    int uncompressedBytes(String topic, int limit) {
        Double ratio = ratios.get(topic);
        if (ratio == null) {
            return limit;
        }
        return (int) Math.max(limit, Math.min(MAX_UNCOMPRESSED_BYTES, limit * FILL / ratio));
    }

    /** Notes the size of a batch. */
    void note(String topic, int uncompressedBytes, int bytes) {
        double ratio = Math.min(1, (double) bytes / uncompressedBytes);
        ratios.merge(
                topic,
                ratio,
                (known, now) -> now > known ? now : Double.valueOf(known + (now - known) * WEIGHT_OF_LESS));
    }
}
