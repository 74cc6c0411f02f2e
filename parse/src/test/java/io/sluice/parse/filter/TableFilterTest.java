package io.sluice.parse.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableFilterTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "shop\\.orders        ; shop    ; orders   ; true",
                "shop\\.orders        ; shop    ; Orders   ; true",
                "shop\\.orders        ; shop    ; orders_1 ; false",
                "shop.orders          ; shopx   ; rders    ; false",
                "canal.test1          ; canal   ; test1    ; true",
                "a\\.t_\\d{1,2}       ; a       ; t_12     ; true",
                "a\\.t_\\d{1,2}       ; a       ; t_123    ; false",
                "a\\.(?!x).*          ; a       ; xy       ; false",
                "a\\.b,c\\.d          ; c       ; d        ; true",
                "a\\.(b|c),d\\..*     ; a       ; c        ; true",
                ".*\\..*              ; any     ; thing    ; true",
            })
    void includesWhatMatchesWhole(String include, String schema, String table, boolean passes) {
        assertThat(new TableFilter(include, "").passes(schema, table)).isEqualTo(passes);
    }

    @Test
    void excludesBeatIncludes() {
        TableFilter filter = new TableFilter(".*\\..*", "mysql\\.slave_.*,shop\\.tmp");

        assertThat(filter.passes("shop", "orders")).isTrue();
        assertThat(filter.passes("shop", "tmp")).isFalse();
        assertThat(filter.passes("mysql", "slave_master_info")).isFalse();
    }

    @Test
    void nothingConfiguredPassesAll() {
        assertThat(new TableFilter("", "").passes("any", "thing")).isTrue();
    }

    @Test
    void saysWhichExpressionCannotBeRead() {
        assertThatThrownBy(() -> new TableFilter("a\\.b,c\\.(d", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("c\\.(d");
    }

    @Test
    void commasInBracketsDoNotSplit() {
        assertThat(TableFilter.splitOutsideBrackets("a{1,2},[b,c],(d,e)\\,,f"))
                .containsExactly("a{1,2}", "[b,c]", "(d,e)\\,", "f");
    }
}
