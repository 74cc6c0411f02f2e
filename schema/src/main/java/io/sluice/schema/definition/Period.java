package io.sluice.schema.definition;

import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.IdentifierCase;
import io.sluice.schema.table.Versioning;
import java.util.ArrayList;
import java.util.List;

/** The columns of a {@code PERIOD FOR} clause of MariaDB that is not of the system's time; a table has one such period at most. */
record Period(String start, String end) {
    /** The columns with those of the period marked. */
    List<ColumnSchema> mark(List<ColumnSchema> columns) {
        List<ColumnSchema> marked = new ArrayList<>(columns.size());
        for (ColumnSchema column : columns) {
            boolean isPart = isNamed(columns, column, start) || isNamed(columns, column, end);
            boolean was = column.versioning() == Versioning.PERIOD;
            marked.add(isPart == was ? column : column.withVersioning(isPart ? Versioning.PERIOD : Versioning.NONE));
        }
        return marked;
    }

    private static boolean isNamed(List<ColumnSchema> columns, ColumnSchema column, String name) {
        return column.name().equals(name)
                || IdentifierCase.areSame(column.name(), name)
                        && columns.stream().noneMatch(other -> other.name().equals(name));
    }
}
