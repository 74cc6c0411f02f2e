package io.sluice.bench.stage;

import java.util.Locale;

/** Where the events of a run come from. */
enum StageSource {
    /** The file on disk. */
    FILE,
    /** A running server, by the whole of our own server: connecting, asking for table schemas, instances. */
    LIVE,
    /** A running server, and all that comes is thrown away: the limit for who reads from it. */
    PULL;

    /** As options and reports spell it. */
    String spelled() {
        return name().toLowerCase(Locale.ROOT);
    }
}
