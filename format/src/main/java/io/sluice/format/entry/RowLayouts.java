package io.sluice.format.entry;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the row layouts that tables share: those that were used in this generation or in the one before. The caller ends a
 * generation when it takes too much memory. For one thread.
 */
public final class RowLayouts {
    private Map<List<MappedTable.Column>, RowLayout> young = new HashMap<>();
    private Map<List<MappedTable.Column>, RowLayout> old = new HashMap<>();
    private Map<String, TypeTexts> youngTypes = new HashMap<>();
    private Map<String, TypeTexts> oldTypes = new HashMap<>();
    private long youngBytes;

    /**
     * The layout of a table.
     *
     * @param columns in the order of the table map
     */
    public RowLayout of(List<MappedTable.Column> columns) {
        RowLayout known = young.get(columns);
        if (known == null) {
            known = old.get(columns);
            if (known == null) {
                known = make(List.copyOf(columns));
            }
            keep(known);
        }
        return known;
    }

    private RowLayout make(List<MappedTable.Column> source) {
        MappedColumn[] columns = new MappedColumn[source.size()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] =
                    new MappedColumn(i, source.get(i), textsOf(source.get(i).mysqlType()));
        }
        return new RowLayout(source, columns);
    }

    private TypeTexts textsOf(String mysqlType) {
        TypeTexts known = youngTypes.get(mysqlType);
        if (known == null) {
            @Nullable TypeTexts before = oldTypes.get(mysqlType);
            known = before == null ? TypeTexts.of(mysqlType) : before;
            youngTypes.put(mysqlType, known);
        }
        return known;
    }

    /** States that a layout is used in this generation. */
    public void keep(RowLayout layout) {
        if (young.putIfAbsent(layout.source, layout) == null) {
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
        oldTypes = youngTypes;
        youngTypes = new HashMap<>();
        youngBytes = 0;
    }
}
