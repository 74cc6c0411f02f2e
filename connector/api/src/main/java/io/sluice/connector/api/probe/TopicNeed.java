package io.sluice.connector.api.probe;

/**
 * What an instance needs of a topic.
 *
 * @param topic its name, as the broker gets it
 * @param partitions how many partitions it must have, at least 1; brokers without partitions ignore it
 * @param keyed whether all messages for it have a key
 */
public record TopicNeed(String topic, int partitions, boolean keyed) {
    /** What two needs of the same topic come to; {@code other} is of the same topic. */
    public TopicNeed and(TopicNeed other) {
        return new TopicNeed(topic, Math.max(partitions, other.partitions), keyed && other.keyed);
    }
}
