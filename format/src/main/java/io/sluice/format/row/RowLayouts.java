package io.sluice.format.row;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A cache of the row layouts that tables share: those that were used in this generation or in the one before. The caller ends a
 * generation when it takes too much memory. For one thread.
 */
public final class RowLayouts {
    private Map<List<MappedColumn>, RowLayout> young = new HashMap<>();
    private Map<List<MappedColumn>, RowLayout> old = new HashMap<>();
    private long youngBytes;

    /**
     * The layout of a table.
     *
     * @param columns in the order of the table map
     */
    public RowLayout of(List<MappedColumn> columns) {
        RowLayout known = young.get(columns);
        if (known == null) {
            known = old.get(columns);
            if (known == null) {
                known = new RowLayout(List.copyOf(columns));
            }
            keep(known);
        }
        return known;
    }

    /** States that a layout is used in this generation. */
    public void keep(RowLayout layout) {
        if (young.putIfAbsent(layout.columns(), layout) == null) {
            youngBytes += layout.heapBytes();
        }
    }

    /** How much memory the layouts of this generation take, roughly. */
    public long bytes() {
        return youngBytes;
    }

    /** Begins another generation; what was not used in the one that ends, nor will be in it, is made again when it is needed. */
    public void turn() {
        old = young;
        young = new HashMap<>();
        youngBytes = 0;
    }
}
