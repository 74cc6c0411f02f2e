package io.sluice.mysql.binlog;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of columns that a table map has only when the source runs with {@code
 * binlog_row_metadata=FULL}.
 *
 * @param names the columns' names
 * @param keys per column, whether it is a part of the primary key
 * @param members per column, the members of an ENUM or SET; null for all others
 * @param geometries per column, the kind of a GEOMETRY, 0 for any kind and for all others
 */
@SuppressWarnings("ArrayRecordComponent") // read by index; never compared
public record FullMetadata(List<String> names, boolean[] keys, List<@Nullable List<String>> members, int[] geometries) {
    FullMetadata first(int columns) {
        return new FullMetadata(
                names.subList(0, columns),
                Arrays.copyOf(keys, columns),
                members.subList(0, columns),
                Arrays.copyOf(geometries, columns));
    }

    /** Returns the metadata of the columns with the given indexes, in that order. */
    FullMetadata of(int[] columns) {
        boolean[] keysOf = new boolean[columns.length];
        List<String> namesOf = new ArrayList<>(columns.length);
        List<@Nullable List<String>> membersOf = new ArrayList<>(columns.length);
        int[] geometriesOf = new int[columns.length];
        for (int i = 0; i < columns.length; i++) {
            keysOf[i] = keys[columns[i]];
            namesOf.add(names.get(columns[i]));
            membersOf.add(members.get(columns[i]));
            geometriesOf[i] = geometries[columns[i]];
        }
        return new FullMetadata(namesOf, keysOf, membersOf, geometriesOf);
    }
}
