package io.sluice.bench.bridge;

import java.util.Locale;

/** The compression of the producer's batches. */
public enum Compression {
    NONE,
    LZ4,
    ZSTD,
    GZIP;

    /** The name in options, reports and Kafka's {@code compression.type}. */
    public String spelled() {
        return name().toLowerCase(Locale.ROOT);
    }
}
