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
            boolean isPart = IdentifierCase.areSame(column.name(), start) || IdentifierCase.areSame(column.name(), end);
            boolean was = column.versioning() == Versioning.PERIOD;
            marked.add(isPart == was ? column : column.withVersioning(isPart ? Versioning.PERIOD : Versioning.NONE));
        }
        return marked;
    }
}
