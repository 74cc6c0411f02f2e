package io.sluice.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChangeScriptTest {
    @ParameterizedTest
    @EnumSource
    void theSameSeedMakesTheSameStatements(WorkloadKind kind) {
        assertThat(statements(new Workload(kind, 3_000, 7))).isEqualTo(statements(new Workload(kind, 3_000, 7)));
    }

    @ParameterizedTest
    @EnumSource
    void anotherSeedMakesOthers(WorkloadKind kind) {
        assertThat(statements(new Workload(kind, 3_000, 7))).isNotEqualTo(statements(new Workload(kind, 3_000, 8)));
    }

    @ParameterizedTest
    @EnumSource
    void changesAsManyRowsAsWanted(WorkloadKind kind) {
        Totals totals = new Workload(kind, 3_001, 1).script().write(statement -> {});

        assertThat(totals.rows()).isEqualTo(3_001);
    }

    @ParameterizedTest
    @EnumSource(names = "MIXED")
    void everyTransactionIsCommitted(WorkloadKind kind) {
        List<String> statements = statements(new Workload(kind, 3_000, 1));

        assertThat(statements.stream().filter("BEGIN"::equals).count())
                .isEqualTo(statements.stream().filter("COMMIT"::equals).count());
        assertThat(statements).last().isEqualTo("COMMIT");
    }

    @ParameterizedTest
    @EnumSource
    void everyTableOfManyIsChanged(WorkloadKind kind) {
        Workload workload = new Workload(kind, 20_000, 1).over(20);

        assertThat(statements(workload))
                .map(statement -> statement.replaceAll("^(INSERT INTO|UPDATE|DELETE FROM) (\\w+) .*", "$2"))
                .containsAll(workload.tables());
        assertThat(workload.script().write(statement -> {}).rows()).isEqualTo(20_000);
    }

    private static List<String> statements(Workload workload) {
        List<String> statements = new ArrayList<>();
        workload.script().write(statement -> statements.add(statement.toString()));
        return statements;
    }
}
