package io.sluice.stream.source.schema;

import io.sluice.protocol.time.Time;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.SchemaHistory;
import java.io.IOException;

/** Opens schema histories. */
@FunctionalInterface
public interface HistoryOpener {
    /** As {@link SchemaHistory#open(HistoryConfig, Time)}. */
    SchemaHistory open(HistoryConfig config, Time time) throws IOException;
}
