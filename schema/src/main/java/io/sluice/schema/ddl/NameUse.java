package io.sluice.schema.ddl;

import io.sluice.schema.table.TableName;
import java.util.List;

/**
 * What a statement that was executed shows about the table or sequence that had a name before it.
 *
 * @param name the name; with an empty table name, all names of a schema
 */
public record NameUse(TableName name, Kind kind) {
    /** The kinds of uses. */
    public enum Kind {
        /** It was a sequence. */
        SEQUENCE,
        /** If it was a sequence, it is gone, and anything else is left as it was. */
        SEQUENCE_IF_ANY,
        /** There was none. */
        FREE,
        /** Nothing is certain. */
        OTHER
    }

    /** One use of the same kind for each of some names. */
    static List<NameUse> of(List<TableName> names, Kind kind) {
        return names.stream().map(name -> new NameUse(name, kind)).toList();
    }
}
