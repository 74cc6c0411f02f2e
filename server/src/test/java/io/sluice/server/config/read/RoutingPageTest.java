package io.sluice.server.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.route.Partitioning.ByKey;
import io.sluice.connector.api.route.Router;
import io.sluice.connector.api.route.RoutingRules;
import io.sluice.connector.api.route.RuleTexts;
import io.sluice.connector.api.route.TopicPartitions;
import io.sluice.server.check.GivenRow;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Properties;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples in the tables of {@code docs/routing.md}. */
class RoutingPageTest {
    static List<List<String>> topics() throws IOException {
        return rows("| `canal.mq.dynamicTopic` | table |");
    }

    static List<List<String>> partitions() throws IOException {
        return rows("| `canal.mq.partitionHash` | row of `mytest.user` |");
    }

    @ParameterizedTest
    @MethodSource("topics")
    void topicsAreAsThePageSays(List<String> row) throws IOException {
        RuleTexts texts =
                new RuleTexts("the.rest", 0, unescaped(row.get(0)), "", true, OptionalInt.empty(), "", false, "");
        String[] name = row.get(1).split("\\.");

        assertThat(router(texts).route(name[0], name[1]).topic()).isEqualTo(row.get(2));
    }

    @ParameterizedTest
    @MethodSource("partitions")
    void partitionsAreAsThePageSays(List<String> row) throws IOException {
        for (int count : new int[] {3, 4}) {
            RuleTexts texts =
                    new RuleTexts("t", 0, "", unescaped(row.get(0)), true, OptionalInt.of(count), "", false, "");
            ByKey byKey = (ByKey) router(texts).route("mytest", "user").partitioning();

            int hash = byKey.hashOf(
                    new ArrayList<>(GivenRow.parse(row.get(1)).values().values()));

            assertThat(hash).isEqualTo(Integer.parseInt(row.get(2)));
            assertThat(byKey.partitionOf(hash)).isEqualTo(Integer.parseInt(row.get(count)));
        }
    }

    private static Router router(RuleTexts texts) {
        RoutingRules rules = RoutingRules.read(texts);
        assertThat(rules.problems()).isEmpty();
        return rules.router(TopicPartitions.UNKNOWN);
    }

    private static String unescaped(String value) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader("key = " + value));
        return properties.getProperty("key");
    }

    /** The cells of the rows below all heads that begin so. */
    private static List<List<String>> rows(String head) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        List<String> lines = Files.readAllLines(Path.of("..", "docs", "routing.md"));
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).startsWith(head)) {
                continue;
            }
            for (i += 2; i < lines.size() && lines.get(i).startsWith("|"); i++) {
                rows.add(Arrays.stream(lines.get(i).substring(1).split("\\|"))
                        .map(cell -> cell.strip().replace("`", ""))
                        .toList());
            }
        }
        assertThat(rows).hasSizeGreaterThan(4);
        return rows;
    }
}
