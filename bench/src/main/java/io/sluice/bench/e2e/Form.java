package io.sluice.bench.e2e;

import java.util.Locale;

/** What the records look like. */
public enum Form {
    /** Protobuf packets. */
    RAW,
    /** Flat JSON. */
    FLAT;

    /** As options and reports spell it. */
    public String spelled() {
        return name().toLowerCase(Locale.ROOT);
    }
}
