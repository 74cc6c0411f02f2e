package io.sluice.format.split;

import io.sluice.format.row.MappedColumn;
import io.sluice.format.row.RowLayout;
import java.util.List;

/** The keys that rows of one layout were split by last. Thread-safe. */
final class KeyCache {
    private final List<MappedColumn> columns;

    /** Few: a table has one rule for its rows, and perhaps another for keys. */
    private volatile List<KeyColumns> known = List.of();

    private KeyCache(RowLayout layout) {
        this.columns = layout.columns();
    }

    /** Which columns of a layout a key names. */
    static KeyColumns columns(RowLayout layout, RowKey key, boolean ignoresCase) {
        return layout.prepared(KeyCache.class, KeyCache::new).columns(key, ignoresCase);
    }

    private KeyColumns columns(RowKey key, boolean ignoresCase) {
        List<KeyColumns> keys = known;
        for (int i = 0; i < keys.size(); i++) {
            KeyColumns next = keys.get(i);
            if (next.isOf(key, ignoresCase)) {
                return next;
            }
        }
        KeyColumns made = new KeyColumns(columns, key, ignoresCase);
        known = keys.isEmpty() ? List.of(made) : List.of(made, keys.get(0)); // what is forgotten is made again
        return made;
    }
}
