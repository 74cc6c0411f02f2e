package io.sluice.connector.rabbitmq.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.rabbitmq.node.JoinedNodes.Apart;
import io.sluice.connector.rabbitmq.settings.Address;
import io.sluice.connector.rabbitmq.settings.RabbitSettings;
import io.sluice.connector.rabbitmq.settings.RabbitSettingsReader;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases are the rows of the table in docs/rabbitmq.md. */
class JoinedNodesTest {
    private static final Path PAGE = Path.of("../../docs/rabbitmq.md");
    private static final String TABLE = "### Which nodes are joined";
    private static final String WAITS = "waits: ";
    private static final String IS_LEFT = "is left for ";

    private final HandTime time = new HandTime();

    /** What a node does not do. */
    private enum Defect {
        SILENT,
        AT_LIMIT,
        FORBIDDING
    }

    /** Nodes by a letter each, with what is declared at them. */
    private static class FakeNodes implements NodeAsker {
        private final List<String> clusters;
        private final Map<Address, Defect> defects = new HashMap<>();
        private final Map<String, Address> queues = new HashMap<>();

        /** @param nodes such as {@code A+B, C} */
        FakeNodes(String nodes, String besides) {
            this.clusters = List.of(nodes.split(", "));
            for (String end : List.of(" does not answer", " do not answer")) {
                note(besides, end, Defect.SILENT);
            }
            for (String end : List.of(" has reached a limit of queues", " have reached a limit of queues")) {
                note(besides, end, Defect.AT_LIMIT);
            }
            note(besides, " gives no right", Defect.FORBIDDING);
            assertThat(defects.isEmpty()).as(besides).isEqualTo(besides.equals("–"));
        }

        private void note(String besides, String end, Defect defect) {
            if (besides.endsWith(end)) {
                Stream.of(besides.substring(0, besides.length() - end.length()).split(" and "))
                        .forEach(name -> defects.put(node(name), defect));
            }
        }

        RabbitSettings settings() {
            return RabbitSettingsReader.read(Map.of(
                    "rabbitmq.host",
                    clusters.stream()
                            .flatMap(cluster -> Stream.of(cluster.split("\\+")))
                            .map(name -> name.toLowerCase(Locale.ROOT))
                            .map(name -> "amqp://%s:p@%s".formatted(name, name))
                            .collect(Collectors.joining(","))));
        }

        Optional<Address> firstSilent(List<Address> nodes) {
            return nodes.stream()
                    .filter(node -> defects.get(node) == Defect.SILENT)
                    .findFirst();
        }

        boolean areJoined(Address one, Address other) {
            return clusters.stream()
                    .filter(cluster -> cluster.contains(nameOf(one)))
                    .anyMatch(cluster -> cluster.contains(nameOf(other)));
        }

        @Override
        public BrokerAnswer declare(Address node, String queue) {
            Defect defect = defects.get(node);
            if (defect == Defect.AT_LIMIT) {
                return BrokerAnswer.of(406, "PRECONDITION_FAILED - : queue limit in vhost '/'", false, true);
            }
            if (defect == null) {
                queues.put(queue, node);
            }
            return answer(node, defect == null);
        }

        @Override
        public BrokerAnswer find(Address node, String queue) {
            Address at = queues.get(queue);
            return answer(node, at != null && areJoined(at, node));
        }

        private BrokerAnswer answer(Address node, boolean isThere) {
            Defect defect = defects.get(node);
            if (defect == Defect.SILENT) {
                return BrokerAnswer.of(0, "timeout", true, true);
            }
            if (defect == Defect.FORBIDDING) {
                return BrokerAnswer.of(403, "ACCESS_REFUSED", false, true);
            }
            return isThere
                    ? new BrokerAnswer(BrokerAnswer.Kind.DONE, 200, "")
                    : BrokerAnswer.of(404, "NOT_FOUND - no queue", false, true);
        }

        boolean isAt(Address node, String queue) {
            return node.equals(queues.get(queue));
        }

        @Override
        public boolean delete(Address node, String queue) {
            return queues.remove(queue, node);
        }
    }

    private static Address node(String name) {
        String host = name.toLowerCase(Locale.ROOT);
        return new Address(host, 5672, false, host, "p", "/");
    }

    private static String nameOf(Address node) {
        return node.host().toUpperCase(Locale.ROOT);
    }

    private static List<String[]> rows() throws IOException {
        List<String> lines = Files.readAllLines(PAGE);
        List<String[]> rows = lines.stream()
                .skip(lines.indexOf(TABLE))
                .skip(1)
                .takeWhile(line -> !line.startsWith("#"))
                .filter(line -> line.startsWith("| A"))
                .map(line -> line.substring(2, line.length() - 2).split(" \\| "))
                .toList();
        assertThat(rows).as(TABLE).hasSizeGreaterThan(15);
        return rows;
    }

    @ParameterizedTest(name = "{0} | {1}")
    @MethodSource("rows")
    void theTableOfTheDocumentationHolds(
            String nodes, String besides, String beforeDeclaring, String ofReturnedMessage) {
        FakeNodes asker = new FakeNodes(nodes, besides);
        Address here = node("A");
        List<Address> others = asker.settings().others(here);
        JoinedNodes joined = new JoinedNodes(asker.settings(), asker, time);

        String missing = asker.firstSilent(others)
                .map(node ->
                        WAITS + nameOf(node) + " does not answer") // by the comparison of the nodes, which comes before
                .orElseGet(() -> described(joined.beforeDeclaring(here, others), "is declared at A", others));
        assertThat(missing).as("a queue that no node has").isEqualTo(sorted(beforeDeclaring));
        Apart apart = null;
        for (Address other : others) {
            apart = apart == null ? joined.ofQueuesAt(other, here) : apart;
        }
        assertThat(described(apart, "is unavailable", others))
                .as("a message that no queue takes: %s", apart)
                .isEqualTo(sorted(ofReturnedMessage));
        assertThat(asker.queues).as("what was declared is deleted").isEmpty();
    }

    /** In the words of the table. */
    private static String described(@Nullable Apart apart, String otherwise, List<Address> others) {
        if (apart == null) {
            return otherwise;
        }
        Address next = apart.next();
        if (next != null) {
            return IS_LEFT + nameOf(next);
        }
        List<Address> all = new ArrayList<>(others);
        all.add(node("A"));
        Set<String> causes = new TreeSet<>();
        for (Address node : all) {
            String name = nameOf(node);
            String at = node.hostAndPort();
            Map.of(
                            "what is declared at a:5672 is not known to " + at,
                            name + " is cut off",
                            at + " is up, but what is declared there is not known to a:5672",
                            name + " is cut off",
                            at + " does not answer",
                            name + " does not answer",
                            at + " has reached a limit, raise it",
                            name + " has reached a limit",
                            "grant user %s configure on ^sluice\\.producer\\..*".formatted(node.host()),
                            "grant it at " + name)
                    .forEach((text, cause) -> {
                        if (apart.reason().contains(text)) {
                            causes.add(cause);
                        }
                    });
        }
        return WAITS + String.join(", ", causes);
    }

    private static String sorted(String cell) {
        return cell.startsWith(WAITS)
                ? WAITS
                        + Arrays.stream(cell.substring(WAITS.length()).split(", "))
                                .sorted()
                                .collect(Collectors.joining(", "))
                : cell;
    }

    private @Nullable String beforeDeclaring(FakeNodes asker) {
        Address here = node("A");
        Apart apart = new JoinedNodes(asker.settings(), asker, time)
                .beforeDeclaring(here, asker.settings().others(here));
        return apart == null ? null : apart.reason();
    }

    private @Nullable String ofQueuesAtB(FakeNodes asker) {
        Apart apart = new JoinedNodes(asker.settings(), asker, time).ofQueuesAt(node("B"), node("A"));
        return apart == null ? null : apart.reason();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "A+B+C | – | stays",
                "A, B+C | – | is left for C",
                "A, B+C | B has reached a limit of queues | is left for B",
                "A, B+C | C does not answer | stays",
                "A, B+C | A does not answer | stays",
                "A+B, C | – | stays",
                "A, B, C | – | stays",
                "A+B+C | C does not answer | stays",
                "A, B | – | stays",
                "A, B+C+D | – | is left for C",
                "A+B, C+D | – | stays",
                "A+B, C+D+E | – | is left for D",
                "A+B+C, D+E | – | stays",
            })
    void aNodeIsLeftOnlyForMoreThanHalfOfAllThatAreJoinedWithoutIt(String nodes, String besides, String expected) {
        FakeNodes asker = new FakeNodes(nodes, besides);

        Address next = new JoinedNodes(asker.settings(), asker, time).majorityWithout(node("A"));

        assertThat(next == null ? "stays" : IS_LEFT + nameOf(next)).isEqualTo(expected);
        assertThat(asker.queues).as("what was declared is deleted").isEmpty();
    }

    @Test
    void whyNothingIsDeclaredIsNamedWithTheRemedy() {
        assertThat(beforeDeclaring(new FakeNodes("A, B", "B has reached a limit of queues")))
                .as("with two nodes an answer of B matters no more")
                .isEqualTo(
                        "it is at no node, and what is declared at a:5672 is not known to b:5672, so it is not declared; wait until they are joined again, or check that all addresses of rabbitmq.host are of one cluster");
        assertThat(beforeDeclaring(new FakeNodes("A, B+C", "C does not answer")))
                .isEqualTo(
                        "it is at no node, and what is declared at a:5672 is not known to b:5672, so it is not declared; wait until they are joined again, or check that all addresses of rabbitmq.host are of one cluster; whether c:5672 is joined to the others is not known: c:5672 does not answer: timeout");
        assertThat(beforeDeclaring(new FakeNodes("A, B+C", "–")))
                .isEqualTo(
                        "it is at no node, and what is declared at a:5672 is not known to b:5672, which more than half of the nodes are joined to, connecting to that node; join a:5672 to them");
        assertThat(beforeDeclaring(new FakeNodes("A+B", "B gives no right")))
                .isEqualTo(
                        "it is at no node, and whether all nodes are joined is not known, so it is not declared: grant user b configure on ^sluice\\.producer\\..*: ACCESS_REFUSED");
        assertThat(beforeDeclaring(new FakeNodes("A+B", "A gives no right")))
                .isEqualTo(
                        "it is at no node, and whether all nodes are joined is not known, so it is not declared: grant user a configure on ^sluice\\.producer\\..*: ACCESS_REFUSED");
    }

    @Test
    void whyAReturnedMessageWaitsIsNamedWithTheRemedy() {
        assertThat(ofQueuesAtB(new FakeNodes("A, B", "–")))
                .isEqualTo(
                        "it may have a queue on a node that is cut off: b:5672 is up, but what is declared there is not known to a:5672, which was sent to; wait until they are joined again, or check that all addresses of rabbitmq.host are of one cluster");
        assertThat(ofQueuesAtB(new FakeNodes("A, B+C", "–")))
                .isEqualTo(
                        "it may have a queue on a node that is cut off: b:5672 is up, but what is declared there is not known to a:5672, which was sent to, and is known to c:5672, connecting to that node; join a:5672 to them");
        assertThat(ofQueuesAtB(new FakeNodes("A+B", "B does not answer")))
                .isEqualTo("it may have a queue on a node that is down: b:5672 does not answer: timeout");
        assertThat(ofQueuesAtB(new FakeNodes("A+B", "A does not answer")))
                .isEqualTo("whether all nodes are joined is not known: a:5672 does not answer: timeout");
    }

    /** The other nodes learn of a queue a little later. */
    @Test
    void aNodeThatLearnsOfAQueueALittleLaterIsJoined() {
        long begin = time.nanos();
        FakeNodes late = new FakeNodes("A+B, C", "–") {
            @Override
            public BrokerAnswer find(Address node, String queue) {
                return time.nanos() - begin < Duration.ofMillis(300).toNanos()
                        ? BrokerAnswer.of(404, "NOT_FOUND - no queue", false, true)
                        : super.find(node, queue);
            }
        };

        assertThat(ofQueuesAtB(late)).isNull();
    }

    /** Or a list of many nodes that are cut off would hold up each message for long. */
    @Test
    void nodesThatAreNotJoinedAreWaitedForTogether() {
        long begin = time.nanos();

        assertThat(ofQueuesAtB(new FakeNodes("A, B, C, D, E", "–"))).contains("is up, but");

        assertThat(Duration.ofNanos(time.nanos() - begin)).isEqualTo(Duration.ofMillis(500));
    }

    /** The broker deletes the queue with the connection: then no node knows it. */
    @Test
    void aNodeWhoseConnectionWasLostMeanwhileProvesNothing() {
        class Losing extends FakeNodes {
            Losing(String nodes) {
                super(nodes, "–");
            }

            @Override
            public BrokerAnswer declare(Address node, String queue) {
                return new BrokerAnswer(BrokerAnswer.Kind.DONE, 200, "");
            }
        }

        assertThat(beforeDeclaring(new Losing("A+B")))
                .isEqualTo(
                        "it is at no node, and whether all nodes are joined is not known, so it is not declared: a:5672 has not answered as it should");
        assertThat(ofQueuesAtB(new Losing("A+B")))
                .isEqualTo("whether all nodes are joined is not known: b:5672 has not answered as it should");
    }

    /** The next one may be joined to it all the same. */
    @Test
    void afterANodeWhoseConnectionWasLostTheNextOneIsAsked() {
        FakeNodes losing = new FakeNodes("A, B+C", "–") {
            @Override
            public boolean delete(Address node, String queue) {
                return super.delete(node, queue) && !node.equals(node("B"));
            }

            @Override
            public BrokerAnswer find(Address node, String queue) {
                return isAt(node("B"), queue)
                        ? BrokerAnswer.of(404, "NOT_FOUND - no queue", false, true)
                        : super.find(node, queue);
            }
        };

        assertThat(beforeDeclaring(losing)).contains("connecting to that node");
    }

    @Test
    void aNodeWhoseConnectionWasLostIsNamed() {
        FakeNodes losing = new FakeNodes("A, B+C", "C has reached a limit of queues") {
            @Override
            public boolean delete(Address node, String queue) {
                return super.delete(node, queue) && !node.equals(node("B"));
            }
        };

        assertThat(beforeDeclaring(losing))
                .endsWith("whether b:5672 is joined to the others is not known: b:5672 has not answered as it should");
    }

    /** B reaches C alone, which reaches D and E. */
    @Test
    void aNodeIsLeftForOthersAlsoIfOneOfThemReachesOnlySome() {
        FakeNodes chain = new FakeNodes("A, B, C, D, E", "–") {
            @Override
            boolean areJoined(Address one, Address other) {
                return Set.of("BC", "CB", "CD", "DC", "CE", "EC", "DE", "ED").contains(nameOf(one) + nameOf(other));
            }
        };

        assertThat(beforeDeclaring(chain)).contains("connecting to that node");
    }

    @Test
    void aNodeThatDoesNotAnswerIsNamedOnlyIfItsAnswerCouldMatter() {
        assertThat(beforeDeclaring(new FakeNodes("A, B, C, D", "D does not answer")))
                .as("two of four are not more than half")
                .endsWith("are of one cluster");
        assertThat(beforeDeclaring(new FakeNodes("A+B, C, D, E", "E does not answer")))
                .as("A, B and E may be joined")
                .endsWith("e:5672 does not answer: timeout");
        assertThat(beforeDeclaring(new FakeNodes("A, B+C, D, E", "E does not answer")))
                .as("B, C and E may be joined")
                .endsWith("e:5672 does not answer: timeout");
        assertThat(beforeDeclaring(new FakeNodes("A, B, C, D, E", "B has reached a limit of queues")))
                .as("C has said that it is not joined to B, D or E")
                .endsWith("are of one cluster");
    }
}
