package io.sluice.connector.api.route;

/** The keys of the rules, as canal spells them. */
final class RuleKeys {
    static final String TOPIC = "canal.mq.topic";
    static final String PARTITION = "canal.mq.partition";
    static final String TOPIC_RULES = "canal.mq.dynamicTopic";
    static final String HASH_RULES = "canal.mq.partitionHash";
    static final String COUNT_RULES = "canal.mq.dynamicTopicPartitionNum";
    static final String MESSAGE_KEY = "canal.mq.messageKey";

    private RuleKeys() {}
}
