package io.sluice.stream.source;

import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.HistoryConfig;
import org.jspecify.annotations.Nullable;

/**
 * Where a stream gets table schemas from.
 *
 * @param history where they are kept for every position; null to ask the source for what it has now, at each start
 * @param reloaded the tables whose schemas are read from the source at the start, and not from the history; null for none
 */
public record SchemaOptions(
        @Nullable HistoryConfig history, @Nullable TableFilter reloaded) {
    /** Schemas are read from the source at each start. */
    public static final SchemaOptions WITHOUT_HISTORY = new SchemaOptions(null, null);

    /** With a history. */
    public SchemaOptions(HistoryConfig history) {
        this(history, null);
    }
}
