package io.sluice.connector.api.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ExplanationTest {
    @Test
    void namesTheRulesThatApply() {
        Explanation why = explain(
                "shop",
                "orders",
                "dynamicTopic",
                "t:x.y, all.${schema}:shop\\..*",
                "partitionHash",
                "a.b:c,shop.orders:id^no",
                "dynamicTopicPartitionNum",
                "all_.*:4",
                "messageKey",
                "shop\\..*:$pk$");

        assertThat(why.route().topic()).isEqualTo("all_shop");
        assertThat(why.topic())
                .isEqualTo(new Reason(
                        "canal.mq.dynamicTopic",
                        "all.${schema}:shop\\..*",
                        8,
                        "matches the table shop.orders; the rule is a template for the topic; '.' becomes '_'"));
        assertThat(why.partition())
                .isEqualTo(new Reason(
                        "canal.mq.partitionHash",
                        "shop.orders:id^no",
                        7,
                        "each row goes by the hash of id, no, which begins with that of the schema's name, "
                                + "shop".hashCode()));
        assertThat(why.count())
                .isEqualTo(
                        new Reason("canal.mq.dynamicTopicPartitionNum", "all_.*:4", 1, "matches the topic all_shop"));
        assertThat(why.messageKey())
                .isEqualTo(new Reason("canal.mq.messageKey", "shop\\..*:$pk$", 1, "the primary key"));
    }

    @Test
    void namesTheDefaultsWhereNoRuleApplies() {
        Explanation why =
                explain("shop", "orders", "dynamicTopic", "x.y", "partitionHash", "a.b:c", "partitionsNum", "3");

        assertThat(why.topic())
                .isEqualTo(new Reason("canal.mq.topic", "", 0, "no rule is for this table; '.' becomes '_'"));
        assertThat(why.partition().sentence()).isEqualTo("no rule is for this table: partition 0");
        assertThat(why.count()).isEqualTo(new Reason("canal.mq.partitionsNum", "", 0, "no rule is for this topic"));
        assertThat(explain("shop", "", "dynamicTopic", "shop").topic().sentence())
                .isEqualTo("the rules are for entries with a schema and a table; '.' becomes '_'");
    }

    @Test
    void explainsARouteWithoutRules() {
        Explanation why = explain("shop", "orders", "partition", "2");

        assertThat(why.route()).isEqualTo(new Route("dft.topic", new Partitioning.One(2)));
        assertThat(why.topic().sentence()).isEqualTo("there are no rules for topics");
        assertThat(why.partition())
                .isEqualTo(new Reason("canal.mq.partition", "", 0, "there are no rules for partitions"));
        assertThat(why.count().sentence()).isEmpty();
    }

    @Test
    void explainsANumberOfPartitionsThatTheBrokerHas() {
        RoutingRules rules = RoutingRules.read(Texts.of("partitionHash", "a.b", "enableDynamicQueuePartition", "true"));

        assertThat(rules.explain("a", "b", topic -> OptionalInt.of(6)).count().key())
                .isEqualTo("canal.mq.enableDynamicQueuePartition");
        assertThat(rules.explain("a", "b", TopicPartitions.UNKNOWN).count().sentence())
                .isEqualTo("no number is configured, so 1, unless the broker knows the topic (it was not asked)");
    }

    private static Explanation explain(String schema, String table, String... keysAndValues) {
        return RoutingRules.read(Texts.of(keysAndValues)).explain(schema, table, TopicPartitions.UNKNOWN);
    }
}
