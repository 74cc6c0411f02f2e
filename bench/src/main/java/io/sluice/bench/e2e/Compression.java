package io.sluice.bench.e2e;

import java.util.Locale;

/** The compression of the producer's batches. */
enum Compression {
    NONE,
    LZ4,
    ZSTD,
    GZIP;

    /** The name in options, reports and Kafka's {@code compression.type}. */
    String spelled() {
        return name().toLowerCase(Locale.ROOT);
    }
}
