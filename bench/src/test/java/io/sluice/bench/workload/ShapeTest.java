package io.sluice.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShapeTest {
    @Test
    void everyTableIsWrittenBeforeAnyIsWrittenAgain() {
        List<String> statements = new ArrayList<>();

        Totals totals = new ShapeScript(new Shape(3, 6, 20, 4)).write(text -> statements.add(text.toString()));

        assertThat(statements).hasSize(5);
        assertThat(statements.get(0)).startsWith("INSERT INTO t1 VALUES (1,");
        assertThat(statements.get(1)).startsWith("INSERT INTO t2 VALUES (5,");
        assertThat(statements.get(2)).startsWith("INSERT INTO t3 VALUES (9,");
        assertThat(totals.rows()).isEqualTo(20);
        assertThat(totals.inserts().ids()).isEqualTo(20 * 21 / 2);
    }

    @Test
    void aRowHasAValueForEveryColumn() {
        Shape shape = new Shape(1, 9, 1, 1);
        List<String> statements = new ArrayList<>();

        new ShapeScript(shape).write(text -> statements.add(text.toString()));

        String create = shape.texts().get(0).create();
        assertThat(create).contains("c2 int", "c3 varchar(8)", "c4 bigint", "c5 datetime", "c8 bigint");
        assertThat(statements.get(0).split(",")).hasSize(9);
    }
}
