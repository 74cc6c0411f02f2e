package io.sluice.protocol.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class WorkBoundTest {
    private static final int EXPRESSIONS = 3_000;
    private static final int MAX_NAME_LENGTH = 257;

    static LongStream seeds() {
        return LongStream.concat(LongStream.of(1, 2, 3), new Random().longs(Integer.getInteger("sluice.seeds", 0)));
    }

    /** On short names, where even expensive expressions have a bound. */
    @ParameterizedTest
    @MethodSource("seeds")
    void noNameTakesMoreThanTheBound(long seed) {
        assertThat(boundsThatHold(seed, 24, 100_000)).isGreaterThan(EXPRESSIONS / 3);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noLongNameTakesMoreThanTheBound(long seed) {
        assertThat(boundsThatHold(seed, MAX_NAME_LENGTH, 2_000_000)).isGreaterThan(EXPRESSIONS / 8);
    }

    private static int boundsThatHold(long seed, int longest, int limit) {
        Random random = new Random(seed);
        RandomPatterns patterns = new RandomPatterns(random);
        int bounded = 0;
        for (int i = 0; i < EXPRESSIONS; i++) {
            String list = patterns.list();
            NamePatterns parsed;
            try {
                parsed = NamePatterns.parse(list);
            } catch (MarkedSyntaxException e) {
                continue;
            }
            double bound = WorkBound.of(parsed.shapes(), longest, limit);
            if (bound > limit) {
                continue;
            }
            bounded++;
            for (int j = 0; j < 10; j++) {
                String name = patterns.name(longest);
                assertThat((double) parsed.looks(name, MatchBudget.MAX_LOOKS))
                        .as("seed %d: %s on %s", seed, list, name)
                        .isLessThanOrEqualTo(bound);
            }
        }
        return bounded;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                ".*.*.*.*.*.*.*.*x",
                "(a+)+",
                "(a|a)*b",
                "(a|ab)*c",
                "(a*)*b",
                "(.*a){20}b",
                "(\\w+_)*x",
                "((){999}){999}a",
                ".*a.*b.*c.*d.*e.*f.*g",
                "(?=(.*.*.*.*.*.*)x)a",
                "(.{0,300}){9}x"
            })
    void isInfiniteForWhatGrowsWithoutBounds(String expression) {
        assertThat(WorkBound.of(NamePatterns.parse(expression).shapes(), MAX_NAME_LENGTH, MatchBudget.MAX_LOOKS))
                .isInfinite();
    }

    @Test
    void isCloseForWhatHasOneWayToMatch() {
        assertThat(bound("shop\\.orders")).isLessThan(50);
        assertThat(bound("shop\\..*")).isLessThan(1_000);
        assertThat(bound("[a-z]+_\\d+\\.[a-z]+_\\d+")).isLessThan(500_000);
        assertThat(bound("(\\w|-)+\\.x")).isLessThan(10_000);
    }

    private static double bound(String list) {
        return WorkBound.of(NamePatterns.parse(list).shapes(), MAX_NAME_LENGTH, MatchBudget.MAX_LOOKS);
    }
}
