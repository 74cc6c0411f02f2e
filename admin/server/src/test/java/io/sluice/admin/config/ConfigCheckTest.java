package io.sluice.admin.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.admin.problem.ProblemException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigCheckTest {
    private static final String INSTANCE = "canal.instance.master.address = db:3306\ncanal.mq.topic = all\n";

    private final ConfigCheck check = new ConfigCheck();

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
}
