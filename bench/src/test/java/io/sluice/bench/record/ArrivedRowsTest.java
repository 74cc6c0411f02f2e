package io.sluice.bench.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.workload.Tally;
import io.sluice.bench.workload.Totals;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ArrivedRowsTest {
    private static final Totals EXPECTED =
            new Totals(new Tally(2, 15, 350), new Tally(2, 14, 700), new Tally(1, 8, 200));

    private final ArrivedRows rows = new ArrivedRows();

    @Test
    void changesInTheOrderOfTheBinlogAreCorrect() {
        add("INSERT", 7, "1.50", null);
        add("INSERT", 8, "2.00", null);
        add("UPDATE", 7, "3.00", "1.50");
        add("DELETE", 8, "2.00", null);
        add("UPDATE", 7, "4.00", "3.00");

        assertThat(rows.problem(EXPECTED)).isNull();
    }

    @Test
    void theOrderBetweenKeysDoesNotChangeTheFingerprint() {
        ArrivedRows other = new ArrivedRows();
        add("INSERT", 7, "1.50", null);
        add("INSERT", 8, "2.00", null);
        other.add("orders", "INSERT", row(8, "2.00"), null);
        other.add("orders", "INSERT", row(7, "1.50"), null);

        assertThat(other.fingerprint()).isEqualTo(rows.fingerprint());
    }

    @Test
    void anyOtherColumnChangesTheFingerprint() {
        ArrivedRows other = new ArrivedRows();
        add("INSERT", 7, "1.50", null);
        other.add("orders", "INSERT", Map.of("id", "7", "amount", "1.50", "note", "x"), null);

        assertThat(other.fingerprint()).isNotEqualTo(rows.fingerprint());
        assertThat(other.totals()).isEqualTo(rows.totals());
    }

    @Test
    void reorderedChangesOfAKeyAreFound() {
        add("INSERT", 7, "1.50", null);
        add("INSERT", 8, "2.00", null);
        add("UPDATE", 7, "4.00", "3.00");
        add("UPDATE", 7, "3.00", "1.50");
        add("DELETE", 8, "2.00", null);

        assertThat(rows.totals()).isEqualTo(EXPECTED);
        assertThat(rows.problem(EXPECTED))
                .isEqualTo("2 changes are out of order, the first is an UPDATE of orders id=7");
    }

    @Test
    void keysFarApartAreKept() {
        ArrivedRows other = new ArrivedRows();
        for (int id : new int[] {1, 4095, 4096, 30_000_000}) {
            add("INSERT", id, "1.00", null);
            other.add("orders", "INSERT", row(id, "1.00"), null);
        }
        add("UPDATE", 30_000_000, "2.00", "1.00");
        other.add("orders", "UPDATE", row(4096, "2.00"), "1.00");

        assertThat(rows.problem(rows.totals())).isNull();
        assertThat(other.problem(other.totals())).isNull();
        assertThat(other.fingerprint()).isNotEqualTo(rows.fingerprint());
    }

    @Test
    void aMissingRowIsFound() {
        add("INSERT", 7, "1.50", null);

        assertThat(rows.problem(EXPECTED)).startsWith("expected Totals[inserts=Tally[rows=2");
    }

    private void add(String type, int id, String amount, @Nullable String amountBefore) {
        rows.add("orders", type, row(id, amount), amountBefore);
    }

    private static Map<String, @Nullable String> row(int id, String amount) {
        return Map.of("id", Integer.toString(id), "amount", amount);
    }
}
