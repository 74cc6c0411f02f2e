package io.sluice.schema.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.protocol.pattern.MarkedSyntaxException;
import io.sluice.protocol.pattern.UnsafePatternException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableFilterTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "shop\\.orders        ; shop    ; orders   ; true",
                "shop\\.orders        ; shop    ; Orders   ; true",
                "SHOP\\.Orders        ; shop    ; orders   ; true",
                "shop\\.orders        ; shop    ; orders_1 ; false",
                "shop.orders          ; shopx   ; rders    ; false",
                "canal.test1          ; canal   ; test1    ; true",
                "a\\.t_\\d{1,2}       ; a       ; t_12     ; true",
                "a\\.t_\\d{1,2}       ; a       ; t_123    ; false",
                "a\\.(?!x).*          ; a       ; xy       ; false",
                "a\\.(?!x).*          ; a       ; yx       ; true",
                "a\\.b,c\\.d          ; c       ; d        ; true",
                "a\\.b,,c\\.d,        ; c       ; d        ; true",
                "a\\.b, c\\.d         ; c       ; d        ; false",
                "a\\.(b|c),d\\..*     ; a       ; c        ; true",
                "a\\.(b,c)            ; a       ; b,c      ; true",
                "a\\.(b,c)            ; a       ; b        ; false",
                ".*\\..*              ; any     ; thing    ; true",
                "a\\\\..*             ; a       ; b        ; false",
                "a\\.foo|a\\.foot     ; a       ; foo      ; true",
                "a\\.foo|a\\.foot     ; a       ; foot     ; false",
                "a\\.(foo|foot)       ; a       ; foot     ; true",
                "a\\.foo,a\\.foot     ; a       ; foot     ; true",
                "a\\.foo|a\\.x,a\\.foot ; a     ; foot     ; false",
                "a\\.t.*?             ; a       ; tt       ; true",
                "(?i)A\\.B            ; a       ; b        ; true",
                "a\\.(?:b|c)+         ; a       ; bcb      ; true",
                "a\\.\\p{Ll}          ; a       ; b        ; false",
                "a\\.\\w+             ; a       ; 订单      ; true",
                "a\\.[А-Я]+           ; a       ; заказ    ; true",
                "a\\.(b|c)\\1         ; a       ; bb       ; true",
                "a\\.(b|c)\\1         ; a       ; bc       ; false",
                "a\\.t{x}             ; a       ; t{x}     ; true",
                "a\\.[[]              ; a       ; [        ; true",
                "a\\.[x&&y]           ; a       ; &        ; true",
            })
    void includesWhatCanalIncludes(String include, String schema, String table, boolean passes) {
        assertThat(new TableFilter(include, "").passes(schema, table)).isEqualTo(passes);
        assertThat(new TableFilter("", include).passes(schema, table)).isEqualTo(!passes);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a\\.(?<!b)c    ; a ; c  ; true",
                "a\\.(?<n>c|d)  ; a ; d  ; true",
                "a\\.c++        ; a ; cc ; true",
                "a\\.(?>c|cd)e  ; a ; cde; false",
            })
    void predictsWhichTextsCanalCannotParse(String include, String schema, String table, boolean passes) {
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
        assertThat(new TableFilter(",", ",").passes("any", "thing")).isTrue();
    }

    @Test
    void aRenamingNeedsOneIncludedNameAndOneThatIsNotExcluded() {
        TableFilter filter = new TableFilter("in\\..*", "in\\.not,out\\.not");

        assertThat(filter.passesRenaming("in", "not", "out", "b")).isTrue();
        assertThat(filter.passesRenaming("out", "a", "in", "b")).isTrue();
        assertThat(filter.passesRenaming("out", "a", "out", "b")).isFalse();
        assertThat(filter.passesRenaming("in", "not", "out", "not")).isFalse();
    }

    @Test
    void saysWhy() {
        TableFilter filter = new TableFilter("shop\\..*,a\\.b", "shop\\.tmp_.*");

        assertThat(filter.explain("shop", "orders")).isEqualTo(new TableVerdict.Included("shop\\..*"));
        assertThat(filter.explain("shop", "tmp_1")).isEqualTo(new TableVerdict.Excluded("shop\\.tmp_.*"));
        assertThat(filter.explain("other", "orders")).isEqualTo(new TableVerdict.NotIncluded());
        assertThat(new TableFilter("", "").explain("a", "b")).isEqualTo(new TableVerdict.Included(""));
    }

    @Test
    void knowsWhichTablesAreNamedLiterally() {
        assertThat(new TableFilter("Shop\\.orders,a.b,c\\..*,d\\.(e|f)", "").namedTables())
                .containsExactlyInAnyOrder("shop.orders", "a.b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a\\.b,c\\.(d    ; 8  ; this '(' is never closed",
                "a\\.b,c\\.d)    ; 9  ; this ')' closes nothing",
                "a\\.[b          ; 3  ; this '[' is never closed",
                "a\\.b**         ; 5  ; repeats what is a repetition",
                "a\\.(*b)        ; 4  ; there is nothing that '*' could repeat",
                "a\\.b{3,2}      ; 4  ; maximum below its minimum",
                "a\\.[z-a]       ; 4  ; no proper start and end",
                "a\\.b\\         ; 4  ; backslash at the end",
                "a\\.(b)\\2      ; 6  ; there is no group 2",
                "a\\.(?+b)       ; 3  ; there is no such kind of group",
                "a\\.(?<n>b)(?<n>c),x\\.y ; 0 ; already defined",
            })
    void showsWhereAnExpressionCannotBeRead(String list, int index, String what) {
        assertThatThrownBy(() -> new TableFilter("", list)).isInstanceOfSatisfying(MarkedSyntaxException.class, e -> {
            assertThat(e.index()).isEqualTo(index);
            assertThat(e).hasMessageContaining(what).hasMessageContaining("at column " + (index + 1));
            assertThat(e.getMessage().lines().toList())
                    .hasSize(3)
                    .endsWith("      " + list, "      " + " ".repeat(index) + "^");
        });
    }

    @Test
    void warnsOfProbableMistakes() {
        assertThat(TableFilter.doubtsOf("a\\.b, c\\.d"))
                .singleElement()
                .asString()
                .contains("' c\\.d'", "blank");
        assertThat(TableFilter.doubtsOf("a\\.b|a\\.bc"))
                .singleElement()
                .asString()
                .contains("parentheses");
        assertThat(TableFilter.doubtsOf("a\\\\..*")).singleElement().asString().contains("backslash");
        assertThat(TableFilter.doubtsOf("shop..*")).singleElement().asString().contains("two dots");
        assertThat(TableFilter.doubtsOf("a\\.(b|c),[|]\\.d,.*\\..*")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders", "orders_\\d+", "(orders|people)", "or(d)ers?", "shop\\w*orders\\$"})
    void warnsOfAnExpressionThatMatchesNoTableSinceItMatchesNoDot(String expression) {
        assertThat(TableFilter.doubtsOf("shop\\.a," + expression))
                .singleElement()
                .asString()
                .startsWith("'" + expression + "' matches no table")
                .contains(" write .*\\." + expression + ", which is .*\\\\." + expression + " in a properties file");
    }

    @Test
    void countsWhatIsDoubtfulBeyondTheFirstExpressions() {
        String names = IntStream.range(100, 200).mapToObj(i -> "t" + i).collect(Collectors.joining(","));

        assertThat(TableFilter.doubtsOf(names + "," + names))
                .hasSize(21)
                .startsWith(TableFilter.doubtsOf("t100").get(0))
                .endsWith("80 more of its expressions are doubtful for such reasons");
        assertThat(TableFilter.doubtsOf("a,".repeat(100) + "a")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "shop.orders",
                "shop[^a]orders",
                "shop\\Worders",
                "\\Qshop.orders\\E",
                "shop\\x2eorders",
                ".*"
            })
    void doesNotWarnOfWhatMayMatchADot(String list) {
        assertThat(TableFilter.doubtsOf(list)).isEmpty();
    }

    @Test
    void anExpressionWithoutASchemaMatchesNoTable() {
        assertThat(new TableFilter("orders", "").passes("shop", "orders")).isFalse();
        assertThat(new TableFilter("", "orders").passes("shop", "orders")).isTrue();
    }

    @Test
    void matchingIsAbortedAfterABudget() {
        TableFilter filter = new TableFilter(".*.*.*.*.*.*.*.*x", "");

        assertThatThrownBy(() -> filter.passes("a".repeat(64), "c"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(".*.*.*x");
    }

    @Test
    void anExpensiveClientListIsReplacedByTheConfiguredOne() {
        TableFilter filter = new TableFilter("shop\\..*", "");
        List<String> dropped = new ArrayList<>();
        filter.onFallback((list, reason) -> dropped.add(list + ": " + reason));
        String expensive = ".*.*.*.*.*.*.*.*x";
        filter.include(expensive);
        int version = filter.version();

        assertThat(filter.passes("shop", "a".repeat(64))).isTrue();
        assertThat(filter.passes("till", "a".repeat(64))).isFalse();

        assertThat(filter.version()).isEqualTo(version + 1);
        assertThat(dropped)
                .singleElement()
                .asString()
                .startsWith(expensive + ": it cannot be decided")
                .contains("shop.aaa");
    }

    @Test
    void aClientsListIsTriedWithTheNamesThatAreKnown() {
        TableFilter filter = new TableFilter("", "");
        filter.passes("shop", "orders");

        assertThat(filter.judged("shop\\.(orders|items)").text()).isEqualTo("shop\\.(orders|items)");
        assertThatThrownBy(() -> filter.judged(".*".repeat(45) + "x")).isInstanceOf(UnsafePatternException.class);
        assertThatThrownBy(() -> filter.judged("(")).isInstanceOf(MarkedSyntaxException.class);
        assertThat(filter.version()).isZero();
    }

    @Test
    void tablesThatWereJudgedAreJudgedByTheNewList() {
        TableFilter filter = new TableFilter("shop\\..*", "");
        assertThat(filter.passes("shop", "orders")).isTrue();
        assertThat(filter.passes("till", "orders")).isFalse();

        filter.include("till\\..*");
        assertThat(filter.passes("shop", "orders")).isFalse();
        assertThat(filter.passes("till", "orders")).isTrue();
        assertThat(filter.version()).isEqualTo(1);

        assertThat(filter.includeConfigured()).isTrue();
        assertThat(filter.passes("shop", "orders")).isTrue();
        assertThat(filter.passes("till", "orders")).isFalse();
        assertThat(filter.version()).isEqualTo(2);
        assertThat(filter.includeConfigured()).isFalse();
        assertThat(filter.version()).isEqualTo(2);
    }

    @Test
    void theSameListAgainChangesNothing() {
        TableFilter filter = new TableFilter("shop\\..*", "");
        IncludeList till = filter.judged("till\\..*");

        assertThat(filter.include(till)).isTrue();
        assertThat(filter.judged("till\\..*")).isSameAs(till);
        assertThat(filter.include(till)).isFalse();
        assertThat(filter.version()).isEqualTo(1);
    }

    @Test
    void reportsThatAConfiguredListIsTooExpensive() {
        assertThat(TableFilter.problemOf(".*\\..*,shop\\.orders")).isEmpty();
        assertThat(TableFilter.problemOf(".*".repeat(45) + "x"))
                .get()
                .asString()
                .contains("a name such as");
        assertThat(TableFilter.doubtsOf(".*_.*_.*_.*_.*_x"))
                .singleElement()
                .asString()
                .contains("a long name may grow without bounds");
    }

    @Test
    void remembersABoundedNumberOfVerdicts() {
        TableFilter filter = new TableFilter("a\\.t1.*", "");
        for (int i = 0; i < 150_000; i++) {
            assertThat(filter.passes("a", "t" + i))
                    .isEqualTo(Integer.toString(i).startsWith("1"));
        }
        assertThat(filter.passes("a", "t1")).isTrue();
        assertThat(filter.remembered()).isBetween(100_000, 131_072);
    }
}
