package io.sluice.protocol.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MatchBudgetTest {
    /** Takes a fraction of what one match may, for the name below. */
    private static final NamePatterns EXPENSIVE = NamePatterns.parse("a*a*a*a*\\.b");

    private static final String NAME = "a".repeat(60) + ".c";

    @Test
    void manyMatchesThatAreAllowedOneByOneUseItUp() {
        within(() -> {
            assertThatThrownBy(() -> IntStream.range(0, 10_000).forEach(i -> EXPENSIVE.matches(NAME)))
                    .isInstanceOf(ExpensivePatternException.class)
                    .hasMessageContaining("too long to match all expressions");
            assertThatThrownBy(() -> EXPENSIVE.parts().get(0).matches(NAME))
                    .isInstanceOf(ExpensivePatternException.class);
            assertThatThrownBy(() -> PatternJudge.tooExpensiveFor(EXPENSIVE))
                    .isInstanceOf(ExpensivePatternException.class);
        });
        assertThat(EXPENSIVE.matches(NAME)).isFalse();
    }

    @Test
    void anExpressionThatIsTooExpensiveByItselfIsReportedAsSuchWithinABudget() {
        within(() -> {
            NamePatterns tooExpensive = NamePatterns.parse(".*".repeat(45) + "x");
            assertThat(PatternJudge.tooExpensiveFor(tooExpensive)).isPresent();
            assertThatThrownBy(() -> tooExpensive.matches("shop_production.customer_orders_2024"))
                    .hasMessageContaining("whether shop_production.customer_orders_2024 matches");
            assertThat(NamePatterns.parse("shop\\..*").matches("shop.orders")).isTrue();
        });
    }

    @Test
    void readingRangesAndJudgingAreChargedToo() {
        within(() -> {
            String set = "[\\000-\uffff]";
            assertThatThrownBy(() -> IntStream.range(0, 100_000).forEach(i -> NamePatterns.parse(set + i)))
                    .isInstanceOf(ExpensivePatternException.class);
        });
        within(() -> {
            assertThatThrownBy(() -> IntStream.range(0, 100_000).forEach(i -> PatternJudge.isBounded(EXPENSIVE, 257)))
                    .isInstanceOf(ExpensivePatternException.class);
        });
    }

    @Test
    void equalTextsAreReadOnceWithinABudgetAlsoThoseThatCannotBeRead() {
        within(() -> {
            String list = "shop\\.t1,".repeat(1_000);
            for (int i = 0; i < 1_000; i++) {
                NamePatterns.parse(list);
                assertThatThrownBy(() -> NamePatterns.parse(list + "(")).isInstanceOf(MarkedSyntaxException.class);
            }
        });
    }

    @Test
    void whatIsUnchargedLeavesTheBudgetAsItIs() {
        within(() -> {
            MatchBudget.uncharged(() -> MatchBudget.spend(Double.MAX_VALUE));
            assertThat(NamePatterns.parse("shop\\..*").matches("shop.orders")).isTrue();
            assertThatThrownBy(() -> MatchBudget.spend(Double.MAX_VALUE)).isInstanceOf(ExpensivePatternException.class);
        });
    }

    @Test
    void roundsThatLookAtNoCharacterAreBounded() {
        NamePatterns endless = NamePatterns.parse("((((){9999}){9999}){9999}){9999}\\.y");

        assertThatThrownBy(() -> endless.matches("aaa.b")).isInstanceOf(ExpensivePatternException.class);
        assertThatThrownBy(() -> endless.partFor("aaa.b")).isInstanceOf(ExpensivePatternException.class);
    }

    @Test
    void aBudgetWithinAnotherIsOfItsOwn() {
        within(() -> {
            within(() -> {
                assertThatThrownBy(() -> MatchBudget.spend(Double.MAX_VALUE))
                        .isInstanceOf(ExpensivePatternException.class);
            });
            assertThat(EXPENSIVE.matches(NAME)).isFalse();
        });
        MatchBudget.spend(Double.MAX_VALUE);
    }

    private static void within(Runnable work) {
        assertThat(MatchBudget.<Boolean>within(() -> {
                    work.run();
                    return true;
                }))
                .isTrue();
    }

    @Test
    void aListOfVeryManyExpressionsExceedsTheBudgetWhenItIsRead() {
        String list = "a,".repeat(200_000);

        assertThatThrownBy(() -> MatchBudget.within(() -> NamePatterns.parse(list)))
                .isInstanceOf(ExpensivePatternException.class);
    }

    @Test
    void aListOfThousandsOfExpressionsDoesNot() {
        String list = "shop\\..*,".repeat(20_000);

        assertThat(MatchBudget.within(() -> NamePatterns.parse(list)).parts()).hasSize(20_000);
    }
}
