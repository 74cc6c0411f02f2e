package io.sluice.schema.definition;

import java.util.List;

/**
 * The columns of a {@code PRIMARY KEY} clause.
 *
 * @param columns their names, in the case in which they are written
 * @param hasPeriod whether it ends with a period {@code WITHOUT OVERLAPS}, whose columns are in the key, too
 */
public record PrimaryKey(List<String> columns, boolean hasPeriod) {
    /** No key. */
    static final PrimaryKey NONE = new PrimaryKey(List.of(), false);
}
