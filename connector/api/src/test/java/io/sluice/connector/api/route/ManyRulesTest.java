package io.sluice.connector.api.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.protocol.pattern.ExpensivePatternException;
import io.sluice.protocol.pattern.MatchBudget;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Texts of very many rules: what is read and reported of them is limited, and thousands are none too many. */
class ManyRulesTest {
    private static RoutingRules hashed(String rules) {
        return read("", rules);
    }

    private static RoutingRules read(String topicRules, String hashRules) {
        return RoutingRules.read(
                new RuleTexts("all", 0, topicRules, hashRules, true, OptionalInt.of(4), "", false, ""));
    }

    private static String rules(int count, String rule) {
        return IntStream.range(0, count).mapToObj(rule::formatted).collect(Collectors.joining(","));
    }

    @Test
    void ofManyDoubtsAHundredAreReported() {
        assertThat(hashed("a,".repeat(5_000)).doubts()).hasSize(100);
        assertThat(hashed(".*\\..*," + rules(5_000, "shop.t%d")).doubts()).hasSize(100);
    }

    @Test
    void ofManyProblemsOfAKeyAHundredAreReported() {
        RoutingRules rules = read("t:,".repeat(5_000), "a.b:,".repeat(5_000));

        assertThat(rules.problems()).hasSize(200);
    }

    @Test
    void tensOfThousandsOfRulesAreReadAndTheLastOneCounts() {
        RoutingRules rules = read(rules(50_000, "topic%d:shop.t%<d"), rules(50_000, "shop.t%d:id"));

        assertThat(rules.problems()).isEmpty();
        assertThat(rules.choose("shop", "t49999").topic()).isEqualTo("topic49999");
        assertThat(rules.choose("shop", "t49999").hashRule()).isNotNull();
    }

    @Test
    void moreThanAHundredThousandRulesAreAProblemAndNotRead() {
        RoutingRules rules = hashed("a.b,".repeat(100_001));

        assertThat(rules.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.key()).isEqualTo("canal.mq.partitionHash");
            assertThat(problem.problem()).contains("more than 100000 rules");
        });
        assertThat(hashed("a.b,".repeat(100_000)).problems()).isEmpty();
    }

    @Test
    void rulesThatAreNamesCostABudgetToo() {
        String rules = "a.b,".repeat(100_000);

        assertThatThrownBy(() -> MatchBudget.within(() -> read("t:a.b,".repeat(99_000), rules)))
                .isInstanceOf(ExpensivePatternException.class);
        assertThatThrownBy(() -> MatchBudget.within(() -> {
                    RoutingRules read = hashed("a.b,".repeat(20_000));
                    for (int i = 0; i < 10_000; i++) {
                        read.choose("shop", "t" + i);
                    }
                    return read;
                }))
                .isInstanceOf(ExpensivePatternException.class);
    }
}
