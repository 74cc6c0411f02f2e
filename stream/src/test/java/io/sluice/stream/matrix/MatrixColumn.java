package io.sluice.stream.matrix;

import java.util.List;

/**
 * A column of the matrix.
 *
 * @param definition the definition after its name in {@code CREATE TABLE}
 * @param literals SQL of its values at the limits, NULL aside; none if the server computes its values
 */
record MatrixColumn(String name, String definition, List<String> literals) {
    static MatrixColumn of(String name, String definition, String... literals) {
        return new MatrixColumn(name, definition, List.of(literals));
    }

    boolean isComputed() {
        return literals.isEmpty();
    }

    /** The value in a row: each in turn, then NULL. Columns begin at different values, so that NULLs are scattered. */
    String literal(int row, int columnIndex) {
        int turn = (row + columnIndex) % (literals.size() + 1);
        return turn == literals.size() ? "NULL" : literals.get(turn);
    }
}
