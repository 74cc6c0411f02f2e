package io.sluice.bench.record;

import java.util.Locale;

/** The format of the records. */
public enum Format {
    /** Protobuf packets. */
    RAW,
    /** Flat JSON. */
    FLAT,
    /** JSON in Debezium's envelope. */
    DEBEZIUM;

    /** The name in options and reports. */
    public String spelled() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The line of {@code canal.properties} that selects it; canal's own key where that is enough, so that old packages know it. */
    public String configLine() {
        return this == DEBEZIUM ? "canal.mq.format = " + spelled() : "canal.mq.flatMessage = " + (this == FLAT);
    }
}
