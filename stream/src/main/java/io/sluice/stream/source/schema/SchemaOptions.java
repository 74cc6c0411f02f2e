package io.sluice.stream.source.schema;

import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.store.cursor.Subscription;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a stream gets table schemas from.
 *
 * @param history where they are kept for every position; null to ask the source for what it has now, at each start
 * @param reloaded the tables whose schemas are read from the source at the start, and not from the history; null for none
 * @param references what the cursors of all clients refer to in the history
 */
public record SchemaOptions(
        @Nullable HistoryConfig history, @Nullable TableFilter reloaded, List<SchemaReference> references) {
    /** Schemas are read from the source at each start. */
    public static final SchemaOptions WITHOUT_HISTORY = new SchemaOptions(null, null);

    public SchemaOptions {
        references = List.copyOf(references);
    }

    /** Without cursors. */
    public SchemaOptions(@Nullable HistoryConfig history, @Nullable TableFilter reloaded) {
        this(history, reloaded, List.of());
    }

    /** With a history. */
    public SchemaOptions(HistoryConfig history) {
        this(history, null);
    }

    /** Returns a copy with the rows of the history to which the cursors of clients refer. */
    public SchemaOptions with(List<Subscription> clients) {
        List<SchemaReference> referred = new ArrayList<>();
        for (Subscription client : clients) {
            Cursor cursor = client.cursor();
            if (cursor != null && cursor.schema() != null) {
                referred.add(cursor.schema());
            }
        }
        return new SchemaOptions(history, reloaded, referred);
    }
}
