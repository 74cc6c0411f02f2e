package io.sluice.stream.mapping;

import io.sluice.schema.table.TableName;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A bounded cache of values for the tables that were used most recently. For one thread. */
final class RecentTables<V> {
    /** Some hundreds of bytes each. */
    static final int MOST = 4096;

    private final Map<TableName, V> values = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TableName, V> eldest) {
            return size() > MOST;
        }
    };

    @Nullable V get(TableName name) {
        return values.get(name);
    }

    void put(TableName name, V value) {
        values.put(name, value);
    }

    /** Forgets a table; or, with an empty table name, all tables of a schema. */
    void remove(TableName name) {
        if (name.table().isEmpty()) {
            values.keySet().removeIf(known -> known.schema().equals(name.schema()));
        } else {
            values.remove(name);
        }
    }

    int size() {
        return values.size();
    }
}
