package io.sluice.stream.matrix;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A table of the matrix, and the statements that bring every value of its columns through it. */
record MatrixTable(String name, List<MatrixColumn> columns) {
    /** In a character set of its own at the end, where whatever was misread before would shift it. */
    private static final MatrixColumn LAST =
            MatrixColumn.of("at_the_end", "VARCHAR(9) CHARACTER SET latin1", "'Grüße'", "'é'");

    MatrixTable {
        columns = Stream.concat(columns.stream(), Stream.of(LAST)).toList();
    }

    /** So many that each column has each of its values once, and a last row with nothing but NULLs. */
    int rows() {
        return 2
                + columns.stream()
                        .mapToInt(column -> column.literals().size())
                        .max()
                        .orElse(0);
    }

    String create(String schema) {
        return columns.stream()
                .map(column -> column.name() + " " + column.definition())
                .collect(Collectors.joining(
                        ", ", "CREATE TABLE %s.%s (id INT PRIMARY KEY, ".formatted(schema, name), ") ENGINE=InnoDB"));
    }

    String definition(String column) {
        return columns.stream()
                .filter(candidate -> candidate.name().equals(column))
                .map(MatrixColumn::definition)
                .findFirst()
                .orElse("INT"); // the key
    }

    boolean isComputed(String column) {
        return columns.stream().anyMatch(candidate -> candidate.name().equals(column) && candidate.isComputed());
    }

    /** All rows by one statement. */
    String insert(String schema) {
        List<MatrixColumn> given =
                columns.stream().filter(column -> !column.isComputed()).toList();
        String names = given.stream().map(MatrixColumn::name).collect(Collectors.joining(", "));
        String rows = IntStream.rangeClosed(1, rows())
                .mapToObj(id -> IntStream.range(0, given.size())
                        .mapToObj(i -> id == rows() ? "NULL" : given.get(i).literal(id, i))
                        .collect(Collectors.joining(", ", "(" + id + ", ", ")")))
                .collect(Collectors.joining(", "));
        return "INSERT INTO %s.%s (id, %s) VALUES %s".formatted(schema, name, names, rows);
    }

    /** Gives each row what the next one had, by one statement; {@code source} is a schema with a copy of the table. */
    String update(String schema, String source) {
        String sets = columns.stream()
                .filter(column -> !column.isComputed())
                .map(column -> "t.%1$s = n.%1$s".formatted(column.name()))
                .collect(Collectors.joining(", "));
        return "UPDATE %1$s.%3$s t JOIN %2$s.%3$s n ON n.id = MOD(t.id, %4$d) + 1 SET %5$s"
                .formatted(schema, source, name, rows(), sets);
    }

    String delete(String schema) {
        return "DELETE FROM %s.%s".formatted(schema, name);
    }
}
