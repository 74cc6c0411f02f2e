package io.sluice.testkit.check;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One change, as it was delivered. */
public sealed interface Change {
    /** The table that changed. */
    TableId table();

    /** The record of the change. */
    Origin origin();

    /**
     * A row came, changed or went.
     *
     * @param key the columns of the primary key, none if the table has none
     * @param types the columns' types as the record spells them
     * @param before null for an insert
     * @param after null for a delete
     */
    record OfRow(
            TableId table,
            Origin origin,
            List<String> key,
            Map<String, String> types,
            @Nullable Row before,
            @Nullable Row after)
            implements Change {}

    /**
     * A statement changed tables as such.
     *
     * @param type such as {@code CREATE} or {@code TRUNCATE}
     */
    record OfSchema(TableId table, Origin origin, String type, String sql) implements Change {}
}
