package io.sluice.protocol.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PatternJudgeTest {
    private static final int MAX_NAME_LENGTH = 257;

    private static NamePatterns accept(String list, String... names) {
        return PatternJudge.accept(list, MAX_NAME_LENGTH, List.of(names));
    }

    static Stream<String> filtersInUse() throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(PatternJudgeTest.class.getResourceAsStream("filters-in-use.txt")),
                StandardCharsets.UTF_8))) {
            return lines.lines().filter(line -> !line.startsWith("#")).toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("filtersInUse")
    void acceptsWhatIsInUse(String filter) {
        assertThat(accept(filter).parts()).isNotEmpty();
    }

    @Test
    void acceptsAListOfAThousandTables() {
        String list = IntStream.range(0, 1_000)
                .mapToObj(i -> "shop\\.orders_" + i + ".*")
                .collect(Collectors.joining(","));
        String alternatives =
                IntStream.range(0, 1_000).mapToObj(i -> "orders_" + i).collect(Collectors.joining("|"));
        for (String filter : List.of(list, "shop\\.(" + alternatives + ")", "a".repeat(60_000) + "b")) {
            assertThatCode(() -> accept(filter)).doesNotThrowAnyException();
        }
    }

    @Test
    void acceptsThreeRunsBeforeTheLastOne() {
        for (String filter : List.of(".*_.*_.*_x", "\\w+_\\w+_\\w+-.*")) {
            assertThatCode(() -> accept(filter)).doesNotThrowAnyException();
        }
        assertThatThrownBy(() -> accept(".*_.*_.*_.*_x")).isInstanceOf(UnsafePatternException.class);
    }

    static Stream<String> attacks() {
        return Stream.of(
                ".*".repeat(45) + "x",
                ".*.*.*.*.*.*x",
                "(a+)+",
                "(a*)*b",
                "(a|a)*b",
                "(a|aa)+$",
                "(.*a){20}",
                "(.*)*x",
                "(\\w+_)*x",
                "([a-z]+)*\\.",
                "(?=(.*.*.*.*.*.*)x)a",
                "(?!(.*.*.*.*.*.*)x).*",
                "(.*)(.*)(.*)(.*)\\1\\2\\3\\4x",
                ".*a.*b.*c.*d.*e.*f.*g",
                "((){999}){999}a",
                "(((a?){999}){999}){999}",
                "a{0,99999}",
                "(?=)".repeat(3_000) + "x",
                "zzz" + "x{0}".repeat(5_000),
                "((?=a)(?=a)(?=a)(?=a)(?=a)(?=a)(?=a)(?=a)(?=a)(?=a)(?=a)(?=a)(?=a)(?=a)(?=a)(?=a)a)*",
                "(".repeat(240) + "a" + ")*".repeat(240),
                "[a]".repeat(1_100),
                "a|".repeat(5_000) + "a",
                "a".repeat(70_000),
                Stream.generate(() -> ".*a.*b.*c").limit(500).collect(Collectors.joining(",")));
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void refusesWhatCouldTakeTooLong(String filter) {
        assertThatThrownBy(() -> accept(filter)).isInstanceOf(UnsafePatternException.class);
    }

    @Test
    void saysWhichExpressionAndWhatToDo() {
        assertThatThrownBy(() -> accept("shop\\.orders," + ".*".repeat(45) + "x"))
                .hasMessageContaining("the expression .*.*.*")
                .hasMessageContaining("fewer repetitions");
        assertThatThrownBy(() -> accept("shop\\.(orders"))
                .isInstanceOf(MarkedSyntaxException.class)
                .hasMessageContaining("never closed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "[", "(?<", "\\"})
    void refusesDeepNestingAsASyntaxError(String sign) {
        assertThatThrownBy(() -> accept(sign.repeat(1_001))).isInstanceOf(MarkedSyntaxException.class);
    }

    @Test
    void findsAnOrdinaryNameThatAnOperatorsListIsTooExpensiveFor() {
        assertThat(PatternJudge.tooExpensiveFor(NamePatterns.parse(".*".repeat(45) + "x")))
                .isPresent();
        assertThat(PatternJudge.tooExpensiveFor(NamePatterns.parse("((){9999}){9999}")))
                .isPresent();
        NamePatterns onlyForLongNames = NamePatterns.parse(".*_.*_.*_.*_.*\\..*_x");
        assertThat(PatternJudge.tooExpensiveFor(onlyForLongNames)).isEmpty();
        assertThat(PatternJudge.isBounded(onlyForLongNames, MAX_NAME_LENGTH)).isFalse();
        assertThat(PatternJudge.isBounded(NamePatterns.parse("shop\\..*"), MAX_NAME_LENGTH))
                .isTrue();
    }

    static LongStream seeds() {
        return LongStream.concat(LongStream.of(1, 2, 3), new Random().longs(Integer.getInteger("sluice.seeds", 0)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noNameExceedsTheBudgetOfAnAcceptedList(long seed) {
        Random random = new Random(seed);
        RandomPatterns patterns = new RandomPatterns(random);
        int accepted = 0;
        int refused = 0;
        for (int i = 0; i < 2_000; i++) {
            String list = patterns.list();
            NamePatterns parsed;
            try {
                parsed = accept(list, patterns.name(30));
                accepted++;
            } catch (UnsafePatternException | MarkedSyntaxException e) {
                refused++;
                continue;
            }
            for (int j = 0; j < 5; j++) {
                String name = patterns.name(MAX_NAME_LENGTH);
                assertThat(parsed.looks(name, MatchBudget.MAX_LOOKS))
                        .as("seed %d: %s on %s", seed, list, name)
                        .isNotNegative();
            }
        }
        assertThat(accepted).isGreaterThan(200);
        assertThat(refused).isGreaterThan(200);
    }
}
