package io.sluice.connector.api.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuleProblemsTest {
    private static final String[] SIGNS = {
        "a",
        "b.c",
        "\\.",
        ".*",
        ":",
        ":",
        ",",
        ";",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "{1,2}",
        "${",
        "${schema}",
        "${table}",
        "^",
        "$pk$",
        "|",
        "+",
        "?",
        "\\",
        " ",
        "1",
        "7",
        "[:alpha:]",
        "(?",
        "é",
        "\n"
    };

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "dynamicTopic  ! t:a\\.(b           ! t:a\\.(b   ! 6  ! this '(' is never closed",
                "dynamicTopic  ! t:a.b, u : a\\.[b  ! u : a\\.[b ! 15 ! this '[' is never closed",
                "dynamicTopic  ! a.b,:c             ! :c         ! 5  ! the topic before the colon is empty",
                "dynamicTopic  ! a.b,t:             ! t:         ! 7  ! there is no table after the colon",
                "dynamicTopic  ! a_${name}:b        ! a_${name}:b ! 3 ! no other placeholder",
                "dynamicTopic  ! t:${schema}\\..*   ! t:${schema}\\..* ! 3 ! in a topic's name only",
                "dynamicTopic  ! a.b,t:((){9999}){9999}\\.y ! t:((){9999}){9999}\\.y ! 7 ! this takes too long to match",
                "partitionHash ! a.b:               ! a.b:       ! 5  ! there is no column after the colon",
                "partitionHash ! a.b:c^             ! a.b:c^     ! 7  ! a column has no name",
                "partitionHash ! a.b:c^^d           ! a.b:c^^d   ! 7  ! a column has no name",
                "partitionHash ! a.b:c^$pk$         ! a.b:c^$pk$ ! 7  ! $pk$ cannot be combined",
                "partitionHash ! :c                 ! :c         ! 1  ! there is no table before the colon",
                "partitionHash ! x.y:z,a\\.b**:c    ! a\\.b**:c  ! 12 ! repeats what is a repetition",
                "dynamicTopicPartitionNum ! a:2,b   ! b          ! 5  ! there is no colon",
                "dynamicTopicPartitionNum ! a:many  ! a:many     ! 3  ! a whole number from 1",
                "dynamicTopicPartitionNum ! a:0     ! a:0        ! 3  ! a whole number from 1",
                "dynamicTopicPartitionNum ! a:-1    ! a:-1       ! 3  ! a whole number from 1",
                "dynamicTopicPartitionNum ! :2      ! :2         ! 1  ! there is no topic before the colon",
                "messageKey    ! a.b                ! a.b        ! 4  ! names columns, or $pk$",
            })
    void showTheRuleAndThePlace(String key, String text, String rule, int column, String what) {
        RoutingRules rules = RoutingRules.read(Texts.of(key, text));

        assertThat(rules.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.key()).isEqualTo("canal.mq." + key);
            assertThat(problem.rule()).isEqualTo(rule);
            assertThat(problem.column()).isEqualTo(column);
            assertThat(problem.problem())
                    .contains(what, "in the rule " + rule, "at column " + column)
                    .endsWith("      " + text + "\n      " + " ".repeat(column - 1) + "^");
        });
    }

    @Test
    void allComeAtOnce() {
        RoutingRules rules = RoutingRules.read(Texts.of(
                "dynamicTopic", "t:a\\.(b,u:c\\.d,v:[",
                "partitionHash", "a.b:",
                "dynamicTopicPartitionNum", "x:y",
                "messageKey", "everything"));

        assertThat(rules.problems().stream().map(RuleProblem::rule))
                .containsExactly("t:a\\.(b", "v:[", "a.b:", "x:y", "everything");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dynamicTopic=a.b, c.d",
                "dynamicTopic=t:a\\.(b,c)",
                "dynamicTopic=a\\\\..*",
                "partitionHash= a.b:c,d.e: f",
                "partitionHash=a.b:c ^ d",
                "partitionHash=a.b:$null$",
                "partitionHash=orders:id",
                "messageKey=orders:id",
                "dynamicTopicPartitionNum=a: 2",
                "dynamicTopic=t.a$b",
                "partitionHash=t\\.a$b:id",
                "partitionHash=(a^b)\\.c:id",
                "dynamicTopic=persistent://public/default/x:t\\..*",
                "dynamicTopic=x:a/b",
                "partitionHash=a.b:c:d",
                "partitionHash=.*\\..*:$pk$,t.k:v",
                "partitionHash=t\\.(a|b):id,T.A:v",
                "partitionHash=.*:id,t\\.(a|b):v",
                "dynamicTopic=t\\..*,x:t.a",
                "dynamicTopic=t.*,x:tools",
                "dynamicTopic=.*\\..*,x:t.*",
                "dynamicTopic=shop.order_[0-9]+",
                "dynamicTopicPartitionNum=.*:2,orders:3",
            })
    void whatProbablyMeansSomethingElseIsDoubted(String setting) {
        int sign = setting.indexOf('=');
        RoutingRules rules = RoutingRules.read(Texts.of(setting.substring(0, sign), setting.substring(sign + 1)));

        assertThat(rules.problems()).isEmpty();
        assertThat(rules.doubts()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dynamicTopic=t1: mytest.user , t2 : mytest.role",
                "dynamicTopic=t:a\\.x{1,2},u:a\\.([bc]|d{2,})",
                "partitionHash=a.b:c^d,.*\\..*:$pk$",
                "messageKey=a.b:c , d.e:f",
                "dynamicTopic=(^shop$|^till$)",
                "dynamicTopic=^shop\\.a$|^shop\\.b$",
                "partitionHash=shop\\.a\\$b:id",
                "partitionHash=shop\\.[a$b^c:/]+:id",
                "partitionHash=shop\\.[^a].*:id",
                "dynamicTopic=t:a\\/b\\..*",
                "dynamicTopic=t.*,x:tools.a",
                "dynamicTopic=x:shop,y:shop.orders",
                "dynamicTopic=.*,x:shop\\.orders",
                "dynamicTopic=shop.*,.*_db,s.p",
                "partitionHash=t.k:v,.*\\..*:$pk$",
                "partitionHash=t\\.(a|b):id,t\\.(c|b):v",
            })
    void whatCanalUnderstandsIsNotDoubted(String setting) {
        int sign = setting.indexOf('=');
        RoutingRules rules = RoutingRules.read(Texts.of(setting.substring(0, sign), setting.substring(sign + 1)));

        assertThat(rules.problems()).isEmpty();
        assertThat(rules.doubts()).isEmpty();
    }

    static LongStream seeds() {
        return LongStream.concat(LongStream.of(1, 2, 3), new Random().longs(2));
    }

    /** Any text at all is either read or listed as a problem within the text, and whatever was read can be asked. */
    @ParameterizedTest
    @MethodSource("seeds")
    void noTextBreaksTheReader(long seed) {
        Random random = new Random(seed);
        int wrong = 0;
        int right = 0;
        for (int i = 0; i < 2_000; i++) {
            String text = text(random);
            RoutingRules rules = RoutingRules.read(Texts.of(
                    "dynamicTopic", text,
                    "partitionHash", text,
                    "dynamicTopicPartitionNum", text,
                    "messageKey", text));
            for (List<RuleProblem> list : List.of(rules.problems(), rules.doubts())) {
                assertThat(list)
                        .as("seed %d: %s", seed, text)
                        .allSatisfy(problem -> assertThat(problem.column()).isBetween(1, text.length() + 1));
            }
            wrong += rules.problems().isEmpty() ? 0 : 1;
            right += rules.problems().isEmpty() ? 1 : 0;
            Route route = rules.router(TopicPartitions.UNKNOWN).route("a", "b");
            assertThat(route.topic()).as("seed %d: %s", seed, text).isNotEmpty();
            assertThat(rules.explain("a", "b", TopicPartitions.UNKNOWN).route()).isEqualTo(route);
        }
        assertThat(wrong).isPositive();
        assertThat(right).isPositive();
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(12);
        for (int i = 0; i < length; i++) {
            text.append(SIGNS[random.nextInt(SIGNS.length)]);
        }
        return text.toString();
    }
}
