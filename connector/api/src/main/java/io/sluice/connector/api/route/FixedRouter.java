package io.sluice.connector.api.route;

/**
 * Routes all entries to one partition of one topic.
 *
 * @param topic the topic's name, not empty
 * @param partition the partition's index, from 0
 */
public record FixedRouter(String topic, int partition) implements Router {
    public FixedRouter {
        if (topic.isBlank()) {
            throw new IllegalArgumentException("canal.mq.topic is empty");
        }
        if (partition < 0) {
            throw new IllegalArgumentException("canal.mq.partition is less than 0: " + partition);
        }
    }

    @Override
    public Route route(String schema, String table) {
        return new Route(topic, new Partitioning.One(partition));
    }

    @Override
    public boolean isFixed() {
        return true;
    }
}
