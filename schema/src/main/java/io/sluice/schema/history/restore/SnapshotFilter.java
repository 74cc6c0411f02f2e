package io.sluice.schema.history.restore;

import io.sluice.schema.ddl.catalog.SchemaState;
import io.sluice.schema.filter.FilterRules;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps the filter of the tables that a snapshot holds in the notes of that snapshot. */
public final class SnapshotFilter {
    private static final String INCLUDE = "filter include";
    private static final String EXCLUDE = "filter exclude";

    private SnapshotFilter() {}

    /** Adds a filter; none if it is null. */
    public static SchemaState with(SchemaState state, @Nullable FilterRules filter) {
        if (filter == null) {
            return state;
        }
        Map<String, String> notes = new HashMap<>(state.notes());
        notes.put(INCLUDE, filter.include());
        notes.put(EXCLUDE, filter.exclude());
        return new SchemaState(state.definitions(), notes);
    }

    /** The filter in a snapshot; null if it has none. */
    static @Nullable FilterRules of(SchemaState state) {
        String include = state.notes().get(INCLUDE);
        String exclude = state.notes().get(EXCLUDE);
        return include == null || exclude == null
                ? null
                : FilterRules.ALL.withIncluded(include).withExcluded(exclude);
    }
}
