package io.sluice.schema.ddl.catalog;

import io.sluice.schema.table.TableName;
import java.util.HashSet;
import java.util.Set;

/**
 * What may be as before or after statements that were read, since the source has lost their events.
 *
 * @param tables a schema whose tables are all concerned is one with an empty name
 * @param defaults the schemas whose default character sets are concerned
 */
public record DoubtfulNames(Set<TableName> tables, Set<String> defaults) {
    public static final DoubtfulNames NONE = new DoubtfulNames(Set.of(), Set.of());

    public DoubtfulNames {
        tables = Set.copyOf(tables);
        defaults = Set.copyOf(defaults);
    }

    public boolean isEmpty() {
        return tables.isEmpty() && defaults.isEmpty();
    }

    /** The names of both. */
    public DoubtfulNames and(DoubtfulNames other) {
        Set<TableName> allTables = new HashSet<>(tables);
        allTables.addAll(other.tables);
        Set<String> allDefaults = new HashSet<>(defaults);
        allDefaults.addAll(other.defaults);
        return new DoubtfulNames(allTables, allDefaults);
    }
}
