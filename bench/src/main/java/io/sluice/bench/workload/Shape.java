package io.sluice.bench.workload;

import java.util.ArrayList;
import java.util.List;

/**
 * Inserts into many tables, or into wide ones: every table once, and then any of them.
 *
 * @param tables how many there are, at least 1
 * @param columns how many each of them has, at least 2
 * @param rows how many are inserted in all
 * @param rowsPerInsert how many a statement inserts, which is a transaction of its own
 */
public record Shape(int tables, int columns, long rows, int rowsPerInsert) {
    /** Types that take turns behind the first two columns; a row of 500 columns fits a page of InnoDB. */
    private static final List<String> TYPES = List.of("int", "varchar(8)", "bigint", "datetime");

    public Shape {
        if (tables < 1 || columns < 2 || rows < 1 || rowsPerInsert < 1) {
            throw new IllegalArgumentException(
                    "%d tables, %d columns, %d rows, %d in an insert".formatted(tables, columns, rows, rowsPerInsert));
        }
    }

    /** What tells it from other shapes. */
    String name() {
        return "shape-%dtables-%dcolumns-%drows-by%d".formatted(tables, columns, rows, rowsPerInsert);
    }

    /** The kind of a column behind the first two; 0 to 3. */
    static int kindOf(int column) {
        return (column - 2) % TYPES.size();
    }

    /** The statements that make its tables. */
    List<Tables.TableText> texts() {
        StringBuilder body = new StringBuilder("id bigint NOT NULL,amount decimal(10,2) NOT NULL,");
        for (int i = 2; i < columns; i++) {
            body.append('c').append(i).append(' ').append(TYPES.get(kindOf(i))).append(" DEFAULT NULL,");
        }
        List<Tables.TableText> texts = new ArrayList<>();
        for (int i = 1; i <= tables; i++) {
            String name = tableName(i);
            texts.add(new Tables.TableText(name, "CREATE TABLE %s (%sPRIMARY KEY (id))".formatted(name, body)));
        }
        texts.add(Tables.marker());
        return texts;
    }

    static String tableName(int number) {
        return "t" + number;
    }
}
