package io.sluice.stream.source.schema;

import io.sluice.schema.table.TableName;
import java.util.List;

/**
 * How the tables that pass a filter differ from those of the last run.
 *
 * @param from the position from which the new tables are delivered; their rows before it are not sent
 * @param added tables of the source that pass now and did not before; the first {@value #MAX_NAMES} of them
 * @param addedTotal how many there are
 * @param dropped tables of the source that passed before and do not now; the first {@value #MAX_NAMES} of them
 * @param droppedTotal how many there are
 */
public record FilterChange(
        String from, List<TableName> added, int addedTotal, List<TableName> dropped, int droppedTotal) {
    /** How many tables are named at most. */
    public static final int MAX_NAMES = 100;

    public FilterChange {
        added = List.copyOf(added);
        dropped = List.copyOf(dropped);
    }

    static FilterChange of(String from, List<TableName> added, List<TableName> dropped) {
        return new FilterChange(from, first(added), added.size(), first(dropped), dropped.size());
    }

    private static List<TableName> first(List<TableName> tables) {
        return tables.subList(0, Math.min(tables.size(), MAX_NAMES));
    }
}
