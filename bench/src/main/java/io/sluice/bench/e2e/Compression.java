package io.sluice.bench.e2e;

import java.util.Locale;

/** What a producer does with its batches. */
enum Compression {
    NONE,
    LZ4;

    /** As options, reports and Kafka spell it. */
    String spelled() {
        return name().toLowerCase(Locale.ROOT);
    }
}
