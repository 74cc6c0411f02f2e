package io.sluice.schema.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.protocol.pattern.MarkedSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnFilterTest {
    @Test
    void keepsOrDropsWhatIsNamedInAnyCase() {
        ColumnFilter filter = new ColumnFilter("shop.orders:id/Name, shop.other:id", "shop.people:secret/pin");

        assertThat(filter.passes("shop", "orders", "ID")).isTrue();
        assertThat(filter.passes("SHOP", "Orders", "name")).isTrue();
        assertThat(filter.passes("shop", "orders", "price")).isFalse();
        assertThat(filter.passes("shop", "other", "name")).isFalse();
        assertThat(filter.passes("shop", "people", "Secret")).isFalse();
        assertThat(filter.passes("shop", "people", "name")).isTrue();
        assertThat(filter.passes("shop", "third", "secret")).isTrue();
    }

    @Test
    void theKeepListWins() {
        ColumnFilter filter = new ColumnFilter("a.b:id/v", "a.b:v,c.d:v");

        assertThat(filter.passes("a", "b", "v")).isTrue();
        assertThat(filter.passes("c", "d", "v")).isFalse();
    }

    @Test
    void namesAreNoExpressions() {
        ColumnFilter filter = new ColumnFilter("", "a.b.*:v,a..*:v");

        assertThat(filter.passes("a", "bc", "v")).isTrue();
        assertThat(filter.passes("a", "b.*", "v")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a.b             ; 3 ; with one colon",
                "a.b:c,d.e       ; 9 ; with one colon",
                "a.b:c:d         ; 5 ; with one colon",
                "b:c             ; 0 ; is not a table with its schema",
                "a.:c            ; 0 ; is not a table with its schema",
                "a.b:            ; 4 ; a column has no name",
                "a.b:c//d        ; 6 ; a column has no name",
                "a.b:c / d       ; 4 ; blanks",
                "a.b:c,A.B:d     ; 6 ; is in the list twice",
            })
    void showsWhereAListCannotBeRead(String list, int index, String what) {
        assertThatThrownBy(() -> new ColumnFilter(list, "")).isInstanceOfSatisfying(MarkedSyntaxException.class, e -> {
            assertThat(e).hasMessageContaining(what);
            assertThat(e.index()).isEqualTo(index);
        });
    }

    /** As for its rows: what is kept decides. */
    @Test
    void theNamedColumnsOfATableAreThoseThatDecide() {
        ColumnFilter filter = new ColumnFilter("a.b:c", "A.B:d,a.x:e");

        assertThat(filter.namedColumns("A", "b")).containsExactly("C");
        assertThat(filter.passes("a", "b", "c")).isTrue();
        assertThat(filter.passes("a", "b", "d")).isFalse();
        assertThat(filter.namedColumns("a", "x")).containsExactly("E");
        assertThat(filter.namedColumns("a", "y")).isNull();
    }
}
