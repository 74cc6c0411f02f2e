package io.sluice.server.probe;

import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.route.Partitioning;
import io.sluice.connector.api.route.Route;
import io.sluice.connector.api.route.RoutingRules;
import io.sluice.connector.api.route.TopicPartitions;
import io.sluice.schema.table.TableName;
import io.sluice.server.config.instance.FailureConfig;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.instance.OnReject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Computes which topics an instance sends to, and how many partitions they need. */
final class TopicNeeds {
    private final RoutingRules rules;
    private final Map<String, TopicNeed> needs = new TreeMap<>();

    private TopicNeeds(RoutingRules rules) {
        this.rules = rules;
    }

    /**
     * The topics of some tables, of what belongs to no table, and of dead letters; in the order of their names.
     *
     * @param tables those that pass the filter, as far as they are known
     */
    static List<TopicNeed> of(InstanceConfig config, List<TableName> tables) {
        RoutingRules rules = config.routing().rules();
        TopicNeeds topics = new TopicNeeds(rules);
        topics.add("", "");
        tables.forEach(table -> topics.add(table.schema(), table.table()));
        if (tables.isEmpty()) {
            rules.namedTopics().forEach(named -> topics.add(new TopicNeed(named.topic(), 1, true)));
        }
        FailureConfig failure = config.failure();
        if (failure.onReject() == OnReject.DEAD_LETTER
                && !failure.deadLetterTopic().isEmpty()) {
            topics.add(new TopicNeed(failure.deadLetterTopic(), 1, true));
        }
        return new ArrayList<>(topics.needs.values());
    }

    private void add(String schema, String table) {
        Route route = rules.explain(schema, table, TopicPartitions.UNKNOWN).route();
        boolean isKeyed = table.isEmpty() || route.messageKey() != null;
        add(new TopicNeed(route.topic(), partitions(route.partitioning()), isKeyed));
    }

    private void add(TopicNeed need) {
        needs.merge(need.topic(), need, TopicNeed::and);
    }

    private static int partitions(Partitioning partitioning) {
        if (partitioning instanceof Partitioning.One one) {
            return one.partition() + 1;
        }
        return partitioning instanceof Partitioning.ByKey byKey
                ? byKey.count()
                : ((Partitioning.ByTable) partitioning).count();
    }
}
