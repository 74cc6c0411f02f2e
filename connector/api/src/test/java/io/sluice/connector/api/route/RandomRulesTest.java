package io.sluice.connector.api.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.split.RowKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random rules send random tables and rows where the plain model of canal's grammar does. */
class RandomRulesTest {
    private static final List<String> SCHEMAS = List.of("shop", "Shop", "shop2", "till", "t.x", "");
    private static final List<String> TABLES = List.of("orders", "Orders", "orders_1", "orders_12", "people", "x", "");
    private static final List<String> COLUMNS = List.of("id", "ID", "name", "no_such");
    private static final List<String> VALUES = List.of("", "1", "22", "tom", "中文", "polygenelubricants");
    private static final List<String> PRIMARY = List.of("id", "name");
    private static final List<String> MATCHES = List.of(
            "shop",
            "till",
            "shop.orders",
            "SHOP.Orders",
            "till.people",
            "shop.*",
            ".*",
            "s[a-z]+",
            "shop\\..*",
            ".*\\..*",
            "(shop|till)\\.orders",
            "shop\\.orders_\\d+",
            "shop\\d?\\.(orders|people)",
            ".*\\.x",
            "t\\.x\\.orders");
    private static final List<String> TOPICS = List.of("a", "B", "a.b", "x-y", "all.of.it");
    private static final List<String> COUNTED =
            List.of("a", "b", "shop_orders", "shop.*", ".*_orders", "a_b", "dft_topic");

    static LongStream seeds() {
        return LongStream.concat(LongStream.of(1, 2, 3), new Random().longs(2));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void routeAsThePlainModelDoes(long seed) {
        Random random = new Random(seed);
        int hashed = 0;
        int named = 0;
        for (int i = 0; i < 1_000; i++) {
            RuleTexts texts = texts(random);
            RoutingRules rules = RoutingRules.read(texts);
            assertThat(rules.problems()).as("seed %d: %s", seed, texts).isEmpty();
            Router router = rules.router(TopicPartitions.UNKNOWN);
            PlainModel model = new PlainModel(texts);
            for (int j = 0; j < 8; j++) {
                String schema = one(random, SCHEMAS);
                String table = one(random, TABLES);
                Map<String, String> row = row(random);
                Route route = router.route(schema, table);

                assertThat(route.topic())
                        .as("seed %d: %s on %s.%s", seed, texts, schema, table)
                        .isEqualTo(model.topicOf(schema, table));
                if (!schema.isEmpty() && !table.isEmpty()) {
                    assertThat(partition(route.partitioning(), row))
                            .as("seed %d: %s on %s.%s %s", seed, texts, schema, table, row)
                            .isEqualTo(model.partitionOf(schema, table, row, PRIMARY));
                }
                hashed += route.partitioning() instanceof Partitioning.ByKey ? 1 : 0;
                named += route.topic().equals(texts.topic()) ? 0 : 1;
                assertThat(router.route(schema, table)).isSameAs(route);
            }
        }
        assertThat(hashed).isGreaterThan(1_000);
        assertThat(named).isGreaterThan(1_000);
    }

    private static int partition(Partitioning partitioning, Map<String, String> row) {
        if (partitioning instanceof Partitioning.One one) {
            return one.partition();
        }
        if (partitioning instanceof Partitioning.ByTable byTable) {
            return byTable.partition();
        }
        Partitioning.ByKey byKey = (Partitioning.ByKey) partitioning;
        RowKey key = byKey.key();
        List<String> values = new ArrayList<>();
        for (String column : key.primary() ? PRIMARY : key.columns()) {
            values.add(row.get(column));
        }
        return byKey.partitionOf(byKey.hashOf(values));
    }

    private static RuleTexts texts(Random random) {
        return Texts.of(
                "topic",
                one(random, List.of("dft", "dft.topic")),
                "partition",
                Integer.toString(random.nextInt(3)),
                "dynamicTopic",
                rules(random, () -> (random.nextBoolean() ? one(random, TOPICS) + ":" : "") + one(random, MATCHES)),
                "partitionHash",
                rules(random, () -> one(random, MATCHES) + columns(random)),
                "database.hash",
                Boolean.toString(random.nextBoolean()),
                "partitionsNum",
                Integer.toString(1 + random.nextInt(9)),
                "dynamicTopicPartitionNum",
                rules(random, () -> one(random, COUNTED) + ":" + (1 + random.nextInt(9))));
    }

    private static String rules(Random random, Supplier<String> rule) {
        StringBuilder text = new StringBuilder();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            text.append(text.isEmpty() ? "" : one(random, List.of(",", ";", ",;")))
                    .append(rule.get());
        }
        return text.toString();
    }

    private static String columns(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> "";
            case 1 -> one(random, List.of(":$pk$", ":$PK$"));
            case 2 -> ":" + one(random, COLUMNS);
            default -> ":" + one(random, COLUMNS) + "^" + one(random, COLUMNS);
        };
    }

    private static Map<String, String> row(Random random) {
        Map<String, String> row = new HashMap<>();
        for (String column : COLUMNS.subList(0, 3)) {
            row.put(column, random.nextInt(4) == 0 ? null : one(random, VALUES));
        }
        return row;
    }

    private static <T> T one(Random random, List<T> among) {
        return among.get(random.nextInt(among.size()));
    }
}
