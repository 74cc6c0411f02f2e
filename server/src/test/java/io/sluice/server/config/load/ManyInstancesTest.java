package io.sluice.server.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.pattern.MatchBudget;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.text.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Of a canal.properties of very many instances that was sent to be checked, so many are read that it takes the time and the memory of a request. */
@Timeout(60)
class ManyInstancesTest {
    private static String names(int count, String name, String separator) {
        return IntStream.range(0, count).mapToObj(name::formatted).collect(Collectors.joining(separator));
    }

    private static String manyInstances(int instances, int rules) {
        return """
                canal.serverMode = kafka
                kafka.bootstrap.servers = k:9092
                canal.instance.master.address = db:3306
                canal.destinations = %s
                x.p = prefix
                canal.mq.topic = ${x.p}_all
                canal.mq.dynamicTopic = %s
                canal.mq.partitionsNum = 4
                canal.mq.partitionHash = %s
                canal.instance.filter.regex = %s
                """.formatted(
                        names(instances, "d%d", ","),
                        names(rules, "${x.p}_%d:shop\\\\.t%<d", ","),
                        names(rules, "shop\\\\.t%d:id", ","),
                        names(rules, "shop\\\\.t%d", ","));
    }

    private static ReadConfiguration read(String server) {
        TextsElsewhere texts =
                new TextsElsewhere(server, "instance", Optional.empty(), Map.of("canal.auto.scan", "false"));
        return MatchBudget.within(texts::read);
    }

    private static int instancesRead(String server) {
        ReadConfiguration read = read(server);
        return read.configuration().instances().size() + read.instanceProblems().size();
    }

    private static List<String> problemsOf(String server) {
        ReadConfiguration read = read(server);
        assertThat(read.serverProblems()).isEmpty();
        return read.instanceProblems().values().stream()
                .flatMap(List::stream)
                .map(Problem::complaint)
                .filter(problem -> !problem.contains("which read the same server")) // they have one text here
                .distinct()
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"1000, 30", "1000, 60", "100, 500", "1000, 900", "20000, 900"})
    void theRulesAndTablesThatManyInstancesInheritAreAccepted(int instances, int rules) {
        assertThat(problemsOf(manyInstances(instances, rules))).isEmpty();
    }

    @Test
    void rulesWithTheNameOfTheInstanceAreAcceptedForAThousandInstances() {
        assertThat(problemsOf(manyInstances(1_000, 60).replace("= prefix", "= ${canal.instance.destination}")))
                .isEmpty();
    }

    @Test
    void whatAPlaceholderStandsForCountsOnceForAllInstancesThatInheritIt() {
        String server =
                """
                canal.serverMode = kafka
                kafka.bootstrap.servers = k:9092
                canal.instance.master.address = db:3306
                canal.destinations = %s
                x.p = %s
                canal.mq.topic = all
                canal.mq.dynamicTopic = %s
                canal.instance.dbUsername = ${x.p}
                """.formatted(names(1_000, "d%d", ","), "p".repeat(60), names(18, "${x.p}_%d:shop\\\\.t%<d", ","));

        assertThat(problemsOf(server)).isEmpty();
    }

    @Test
    void aWrongTableThatManyInstancesInheritIsReportedAsSuch() {
        String server =
                manyInstances(1_000, 60).replace("canal.instance.filter.regex = ", "canal.instance.filter.regex = (,");

        assertThat(problemsOf(server)).singleElement().asString().contains("is never closed");
    }

    /** Each instance makes a value, or an expression, of its own of the whole text. */
    @ParameterizedTest
    @ValueSource(strings = {"canal.instance.filter.regex", "canal.instance.dbUsername", "canal.mq.topic"})
    void ofALongTextWithTheNameOfTheInstanceOneIsRead(String key) {
        String server = """
                canal.serverMode = kafka
                kafka.bootstrap.servers = k:9092
                canal.instance.master.address = db:3306
                canal.destinations = %s
                %s = ${canal.instance.destination}%s
                """.formatted(names(1_000, "d%d", ","), key, "a".repeat(900_000));

        assertThat(instancesRead(server)).isEqualTo(1);
    }

    @Test
    void instancesThatTheTextHasKeysOfAreReadBeforeOthers() {
        String server =
                manyInstances(1_000, 10) + "canal.instance.d999.spring.xml = classpath:spring/default-instance.xml\n";

        assertThat(read(server).serverProblems())
                .extracting(Problem::complaint)
                .singleElement()
                .asString()
                .contains("default-instance.xml of d999");
    }

    @Test
    void ofAShortTextTwentyInstancesAreRead() {
        assertThat(instancesRead(manyInstances(1_000, 10))).isEqualTo(20);
        assertThat(instancesRead(manyInstances(7, 10))).isEqualTo(7);
    }
}
