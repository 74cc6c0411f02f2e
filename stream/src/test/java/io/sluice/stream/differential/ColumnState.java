package io.sluice.stream.differential;

import io.sluice.testkit.check.ValueKind;

/**
 * A column as the server reports it.
 *
 * @param type the server's {@code COLUMN_TYPE}
 * @param key whether it is in the primary key
 * @param generated whether its value is computed
 */
record ColumnState(String name, String type, boolean key, boolean generated) {
    ValueKind kind() {
        return ValueKind.of(type);
    }
}
