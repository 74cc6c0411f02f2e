package io.sluice.schema.history;

import io.sluice.schema.history.database.HistoryLocation;
import java.time.Duration;

/** Configurations of histories with the settings that are shipped. */
public final class HistoryConfigs {
    private HistoryConfigs() {}

    /** One of an instance, in a local file. */
    public static HistoryConfig of(String destination, HistoryLocation location) {
        return new HistoryConfig(destination, location, "canal", "canal", Duration.ofHours(24), Duration.ofHours(360));
    }
}
