package io.sluice.admin.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.admin.problem.ProblemException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ConfigCheckTest {
    private static final String INSTANCE = "canal.instance.master.address = db:3306\ncanal.mq.topic = all\n";

    private final ConfigCheck check = new ConfigCheck();

    @Test
    void problemsOfALongValueQuoteItsBeginning() {
        String rules = "(,".repeat(200_000);

        CheckResult result = check.checkInstance("shop", INSTANCE + "canal.mq.dynamicTopic = " + rules + "\n", null);

        assertThat(result.problems()).isNotEmpty();
        assertThat(result.characters()).isLessThan(100_000);
    }

    /** Each instance would have a value of its own of the whole text. */
    @Test
    @Timeout(60)
    void theEffectiveValuesOfAServerWithManyInstancesTakeNoMoreThanThoseOfAFew() {
        String names = IntStream.range(0, 20_000).mapToObj(i -> "d" + i).collect(Collectors.joining(","));
        String content =
                "canal.serverMode = kafka\nkafka.bootstrap.servers = k:9092\ncanal.instance.master.address = db:3306\n"
                        + "canal.destinations = " + names + "\n"
                        + "canal.instance.dbUsername = ${canal.instance.destination}" + "a".repeat(800_000) + "\n";

        CheckResult result = check.checkServer(content);

        assertThat(result.effective()).extracting(EffectiveValue::key).contains("canal.destinations");
    }

    @Test
    void aRuleThatTakesTooLongIsAProblem() {
        CheckResult result = check.checkInstance(
                "shop", INSTANCE + "canal.mq.dynamicTopic = ((((){9999}){9999}){9999}){9999}\\\\.y\n", null);

        assertThat(result.problems())
                .anySatisfy(problem -> assertThat(problem.message()).contains("takes too long to match"));
    }

    @Test
    void aLongNameIsAProblemToo() {
        CheckResult result = check.checkInstance("shop", INSTANCE + "canal" + ".a".repeat(20_000) + " = 1\n", null);

        assertThat(result.problems()).isNotEmpty();
    }

    @Test
    void rulesThatTogetherTakeTooLongAreRejectedWithTheReason() {
        String rules = "a*a*a*a*\\\\.b,".repeat(2_000);
        String content = INSTANCE + "canal.mq.dynamicTopic = " + rules + "\n";

        assertThatThrownBy(() -> check.route(content, null, List.of("a".repeat(120) + ".c", "a".repeat(121) + ".c")))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("takes too long");
    }

    @Test
    void aTextOfNothingButRulesIsAProblem() {
        CheckResult result =
                check.checkInstance("shop", INSTANCE + "canal.mq.partitionHash = " + "a,".repeat(400_000) + "\n", null);

        assertThat(result.problems())
                .anySatisfy(problem -> assertThat(problem.message()).contains("more than 100000 rules"));
    }

    @Test
    void rulesThatAreMultipliedByPlaceholdersAreAProblem() {
        String content = INSTANCE
                + "x.a = " + "a,".repeat(1_000) + "\n"
                + "canal.mq.partitionHash = " + "${x.a}".repeat(90) + "\n"
                + "canal.mq.dynamicTopic = " + "${x.a}".repeat(90) + "\n"
                + "canal.mq.messageKey = " + "${x.a}".repeat(90) + "\n";

        assertThat(check.checkInstance("shop", content, null).problems())
                .anySatisfy(problem -> assertThat(problem.message()).contains("takes too long"));
    }

    @Test
    void thousandsOfRulesAreNone() {
        String rules = IntStream.range(0, 20_000)
                .mapToObj(i -> "shop\\\\.orders_" + i + ":id")
                .collect(Collectors.joining(","));

        assertThat(check.checkInstance("shop", INSTANCE + "canal.mq.messageKey = " + rules + "\n", null)
                        .problems())
                .isEmpty();
    }

    @Test
    void theCharactersOfAnAnswerAreThoseOfAllItsTexts() {
        String content = INSTANCE + "canal.mq.dynamicTopic = " + "a".repeat(9_000) + "${table}:.*\\\\..*\n";
        List<String> tables =
                IntStream.range(0, 100).mapToObj(i -> "shop.t" + i).toList();

        assertThat(check.route(content, null, tables).stream()
                        .mapToLong(RouteDecision::characters)
                        .sum())
                .isGreaterThan(900_000);
        assertThat(check.checkInstance("shop", content, null).characters()).isGreaterThan(9_000);
    }
}
